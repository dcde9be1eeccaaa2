import { randomUUID } from 'node:crypto';
import {
  buildBill,
  buildCase,
  createPaymentWorld,
  limitsOf,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { caseOf, toCase } from '../../case-file/cases/read-conveyancing-case.ts';
import { createClientRead } from '../../people/clients/profile/read-client.ts';
import type { Mail } from '../../platform/mailer.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import {
  type PaymentsCommand,
  paymentsCommand,
  runPaymentsCommand,
} from '../reconciliation/payments-command.ts';
import { listLinks } from './list-links.ts';
import { readLink } from './read-link.ts';
import { linkMailHandler } from './send-link.ts';
import { withdrawLink } from './withdraw-link.ts';

const by = { actor: { kind: 'staff', id: 'rhian', name: 'Rhian Morgan' }, address: '203.0.113.7' } as const;

const testDatabase = withTestDatabase();
const readClient = createClientRead({ select: caseOf, toCase });

async function createCase() {
  let now = Date.now();
  const clock = () => new Date(now);
  const world = createPaymentWorld(testDatabase, { clock });
  const built = await buildCase(testDatabase.database, {
    clients: [
      { firstName: 'Amelia', lastName: 'Okafor' },
      { firstName: 'Tom', lastName: 'Okafor' },
    ],
  });
  const query = async (text: string, values: unknown[]) => (await testDatabase.pool.query(text, values)).rows;
  const [{ reference: search }] = await query('select reference from case_searches where id = $1', [
    built.caseSearchId,
  ]);
  const [{ reference: client }] = await query('select reference from clients where id = $1', [
    built.clientIds[0],
  ]);
  const run = async (...args: string[]) => {
    const command = parseCommand<PaymentsCommand>(
      (done) => paymentsCommand(() => new Date(), done),
      ['link', ...args],
    );
    const lines: string[] = [];
    const code = await runPaymentsCommand(world.dependencies, command, (line) => lines.push(line));
    return { code, text: lines.join('\n') };
  };
  const links = () =>
    query(
      'select id, client_id, sent_at, opened_at from payment_links where case_id = $1 order by created_at',
      [built.id],
    );
  const read = (clientId: string, linkId: string) =>
    readLink({ database: testDatabase.database, clock }, { clientId, linkId });
  const mails: Mail[] = [];
  const handler = linkMailHandler({
    database: testDatabase.database,
    mailer: {
      send: async (mail) => {
        mails.push(mail);
        return '<id@example.test>';
      },
    },
    clock,
    dashboardUrl: () => 'https://clients.example.test',
  });
  const mail = (linkId: string) => handler.work({ linkId });
  const pay = async () => {
    const clientId = built.clientIds[0] ?? '';
    const { paymentId, intentId } = await startTestPayment(world.dependencies, {
      clientId,
      caseSearchId: built.caseSearchId,
    });
    const confirm = async () => {
      await world.intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
    };
    return { paymentId, confirm };
  };
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  const [amelia = '', tom = ''] = built.clientIds;
  return {
    ...built,
    dependencies: world.dependencies,
    search,
    client,
    amelia,
    tom,
    run,
    links,
    read,
    mail,
    mails,
    pay,
    query,
    wait,
  };
}

test('emails each client of the case a link without an amount, once', async () => {
  const { search, run, links, mail, mails } = await createCase();
  const sent = await run('--search', search);
  expect(sent.code).toBe(0);
  expect(sent.text.split('\n').sort().join('\n')).toMatch(
    /^Amelia Okafor <.+>: the email is on its way\.\nTom Okafor <.+>: the email is on its way\.$/,
  );
  const again = await run('--search', search);
  expect(again).toMatchObject({
    code: 0,
    text: expect.stringContaining('has already been emailed this request'),
  });
  const rows = await links();
  expect(rows).toHaveLength(2);
  for (const { id } of rows) {
    await mail(id);
    await mail(id);
  }
  expect(mails).toHaveLength(2);
  expect(mails[0]).toMatchObject({
    subject: 'Please pay online: Local authority search',
    action: {
      label: 'Sign in',
      url: 'https://clients.example.test/',
    },
  });
  expect(JSON.stringify(mails)).not.toContain('£');
  expect((await links()).every(({ sent_at }) => sent_at !== null)).toBe(true);
});

test('sends a client at most three links in 24 hours', async () => {
  const { search, client, run, wait } = await createCase();
  for (const key of ['1', '2', '3']) {
    expect((await run('--search', search, '--client', client, '--key', key)).code).toBe(0);
  }
  const fourth = await run('--search', search, '--client', client, '--key', '4');
  expect(fourth).toMatchObject({
    code: 1,
    text: expect.stringContaining('three requests in the last 24 hours'),
  });
  wait(24 * 3_600_000 + 1);
  expect((await run('--search', search, '--client', client, '--key', '4')).code).toBe(0);
});

test('a link says what is payable now, records when it was opened, and belongs to one client', async () => {
  const { search, client, caseSearchId, amelia, tom, run, links, read, query } = await createCase();
  await run('--search', search, '--client', client);
  const [{ id }] = await links();
  const [{ price_gross: price }] = await query('select price_gross from case_searches where id = $1', [
    caseSearchId,
  ]);
  expect(await read(amelia, id)).toMatchObject({
    state: 'payable',
    case_search_id: caseSearchId,
    amount: price,
    sent_amount: price,
  });
  expect((await links())[0].opened_at).not.toBeNull();
  await expect(read(tom, id)).rejects.toMatchObject({ code: 'not_found' });
  await query(
    'update case_searches set price_net = price_net + 100, price_gross = price_gross + 100 where id = $1',
    [caseSearchId],
  );
  expect(await read(amelia, id)).toMatchObject({ state: 'payable', amount: price + 100, sent_amount: price });
  await query("update case_searches set status = 'cancelled' where id = $1", [caseSearchId]);
  expect(await read(amelia, id)).toMatchObject({ state: 'withdrawn' });
});

test('a link says that the payment was started, is paid or under review, and is then not emailed', async () => {
  const { search, client, amelia, run, links, read, mail, mails, pay, query } = await createCase();
  await run('--search', search, '--client', client);
  const [{ id }] = await links();
  const { paymentId, confirm } = await pay();
  expect(await read(amelia, id)).toMatchObject({ state: 'being_paid' });
  await confirm();
  expect(await read(amelia, id)).toMatchObject({ state: 'paid' });
  await mail(id);
  expect(mails).toEqual([]);
  expect(await run('--search', search, '--key', 'again')).toEqual({ code: 1, text: 'It has been paid.' });
  await query("update payments set review_reason = 'test', last_cause = 'test' where id = $1", [paymentId]);
  expect(await read(amelia, id)).toMatchObject({ state: 'under_review' });
});

test('a withdrawn link leads to no payment and is not emailed, is withdrawn once, and its search or bill stays payable', async () => {
  const { search, client, amelia, caseSearchId, id: caseId, ...made } = await createCase();
  await made.run('--search', search, '--client', client);
  const [{ id }] = await made.links();
  const withdraw = () => withdrawLink(made.dependencies, id, by);
  await Promise.all([withdraw(), withdraw()]);
  expect(await made.read(amelia, id)).toMatchObject({ state: 'withdrawn' });
  await made.mail(id);
  expect(made.mails).toEqual([]);
  const entries = 'select actor_name, subject_kind, subject_id from audit_entries where action = $1';
  expect(await made.query(entries, ['payment.link_withdrawn'])).toEqual([
    { actor_name: 'Rhian Morgan', subject_kind: 'search', subject_id: search },
  ]);
  expect(
    await made.query('select summary from history_entries where case_id = $1 and summary like $2', [
      caseId,
      'We withdrew%',
    ]),
  ).toHaveLength(1);
  expect(await listLinks(testDatabase.database, caseId)).toMatchObject([
    { id, client: { name: 'Amelia Okafor' }, sent_at: null, state: 'withdrawn' },
  ]);
  expect(await startTestPayment(made.dependencies, { clientId: amelia, caseSearchId })).toHaveProperty(
    'paymentId',
  );
  expect(await made.read(amelia, id)).toMatchObject({ state: 'being_paid' });
});

test('a client’s own read names each payment they were asked for once, until it is started or withdrawn or its case is closed', async () => {
  const { search, client, reference, amelia, tom, id, run, links, wait, pay, query, dependencies } =
    await createCase();
  const requests = async (clientId: string) =>
    (await readClient().forClient(testDatabase.database, clientId)).payment_requests?.map(
      ({ description }) => description,
    );
  expect(await requests(amelia)).toEqual([]);
  await run('--search', search);
  wait(1_000);
  await run('--search', search, '--client', client, '--key', 'reminder');
  const other = ['--case', reference, '--category', 'money_on_account', '--amount', '500.00'];
  wait(1_000);
  await run(...other, '--client', client);
  expect(await requests(amelia)).toEqual(['Local authority search', 'Money on account']);
  expect(await requests(tom)).toEqual(['Local authority search']);
  await query("update conveyancing_cases set status = 'completed' where id = $1", [id]);
  expect(await requests(amelia)).toEqual([]);
  await query("update conveyancing_cases set status = 'active' where id = $1", [id]);
  await withdrawLink(dependencies, (await links()).at(-1).id, by);
  expect(await requests(amelia)).toEqual(['Local authority search']);
  wait(1_000);
  await pay();
  expect([await requests(amelia), await requests(tom)]).toEqual([[], []]);
});

test('the read of a client names a bill that they were asked to pay, until the firm has received the money', async () => {
  const { id, client, amelia, run, query } = await createCase();
  const bill = await buildBill(testDatabase.database, { caseId: id });
  await run('--bill', bill.reference, '--client', client);
  const requests = async () => (await readClient().forClient(testDatabase.database, amelia)).payment_requests;
  expect(await requests()).toMatchObject([{ description: `Bill ${bill.number}` }]);
  await query('update bills set paid_otherwise = net + vat where id = $1', [bill.id]);
  expect(await requests()).toEqual([]);
});

test('a link whose payment was started or made is not withdrawn', async () => {
  const { search, client, run, links, pay, read, amelia, dependencies } = await createCase();
  await run('--search', search, '--client', client);
  const [{ id }] = await links();
  const { confirm } = await pay();
  await expect(withdrawLink(dependencies, id, by)).rejects.toThrow('A payment for it has been started');
  await confirm();
  await expect(withdrawLink(dependencies, id, by)).rejects.toThrow('It has been paid');
  expect(await read(amelia, id)).toMatchObject({ state: 'paid' });
});

test('links for other money go to one client and start one payment, and for a bill to each', async () => {
  const { id, client, amelia, reference, run, links, read, wait, dependencies } = await createCase();
  const other = ['--case', reference, '--category', 'money_on_account', '--amount', '500.00'];
  expect(await run(...other)).toMatchObject({
    code: 1,
    text: 'The case has several clients: name one of them, so that it is paid once.',
  });
  expect((await run(...other, '--client', client)).code).toBe(0);
  const [link] = await links();
  expect(await read(amelia, link.id)).toMatchObject({
    state: 'payable',
    category: 'money_on_account',
    amount: 50_000,
    description: 'Money on account',
  });
  // Two tabs with the same key start one payment; after it was cancelled, the link needs another key.
  wait(1_000);
  const startIn = async () => {
    const { idempotency_key } = await read(amelia, link.id);
    return { idempotencyKey: idempotency_key ?? undefined, clientId: amelia, body };
  };
  const body = { category: 'money_on_account', amount: 50_000, own_card: true } as const;
  const limited = { ...dependencies, limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }) };
  const tabs = await Promise.all([startIn(), startIn()]);
  const [first, second] = await Promise.all(tabs.map((tab) => startOtherPayment(limited, tab)));
  if (!first) throw new Error('no payment was started');
  expect(second?.payment_id).toBe(first.payment_id);
  expect(await read(amelia, link.id)).toMatchObject({ state: 'being_paid' });
  await cancelPayment(dependencies, { clientId: amelia, paymentId: first.payment_id });
  expect((await startOtherPayment(limited, await startIn())).payment_id).not.toBe(first.payment_id);
  const bill = await buildBill(testDatabase.database, { caseId: id });
  expect((await run('--bill', bill.reference, '--client', client)).code).toBe(0);
  const newest = (await links()).at(-1);
  expect(await read(amelia, newest.id)).toMatchObject({
    state: 'payable',
    bill: { id: bill.id, number: bill.number },
    category: 'legal_fees',
    amount: bill.net + bill.vat,
  });
});

test('a link that is open in two tabs, which start a payment at the same time, is paid once', async () => {
  const { id, search, client, amelia, caseSearchId, run, links, read, dependencies } = await createCase();
  const limited = { ...dependencies, limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }) };
  const inTwoTabs = async <Answer>(start: () => Promise<Answer>) => {
    const tabs = await Promise.allSettled([start(), start()]);
    return tabs.map((tab) => (tab.status === 'fulfilled' ? tab.value : tab.reason));
  };
  await run('--search', search, '--client', client);
  const [searchLink] = await links();
  expect(await read(amelia, searchLink.id)).toMatchObject({ state: 'payable' });
  const [first, second] = await inTwoTabs(() =>
    startTestPayment(dependencies, { clientId: amelia, caseSearchId }),
  );
  expect(first).toEqual(second);
  const bill = await buildBill(testDatabase.database, { caseId: id });
  await run('--bill', bill.reference, '--client', client);
  const billLink = (await links()).at(-1);
  const { amount } = await read(amelia, billLink.id);
  const started = await inTwoTabs(() => {
    const body = { category: 'legal_fees', bill_id: bill.id, amount, own_card: true } as const;
    return startOtherPayment(limited, { clientId: amelia, body, idempotencyKey: randomUUID() });
  });
  expect(started.filter((payment) => 'payment_id' in payment)).toHaveLength(1);
});

test('sends no link for a purpose for which the firm accepts no payments', async () => {
  const { search, dependencies, run, links } = await createCase();
  const { card, bank } = dependencies.purposes;
  dependencies.purposes = { card: { ...card, search: null }, bank: { ...bank, search: null } };
  expect(await run('--search', search)).toEqual({
    code: 1,
    text: 'The firm accepts no online payments for this purpose.',
  });
  expect(await links()).toEqual([]);
});

test.each([
  [['--search', 'unknown'], 'There is no search with the reference unknown.'],
  [['--bill', 'unknown'], 'There is no bill with the reference unknown.'],
  [
    ['--case', 'unknown', '--category', 'other', '--amount', '5'],
    'There is no case with the reference unknown.',
  ],
])('keyturn payments link %j sends nothing and says why', async (args, text) => {
  const { run } = await createCase();
  expect(await run(...args)).toEqual({ code: 1, text });
});
