import { randomUUID } from 'node:crypto';
import type { DeskSearch } from '@keyturn/contract/staff';
import { anyPdf, buildPayment, createPaymentWorld, ownCard } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { startSearchPayment } from '../../payments/checkout/start-search-payment.ts';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';
import { readCaseSearches } from './read-case-searches.ts';

const desk = withDeskCase();

const searchOf = async (browser: DeskMember) => (await desk.readCase(browser)).searches[0] as DeskSearch;
const take = (browser: DeskMember, { id, version }: DeskSearch, step: string, more: object = {}) =>
  browser.call('POST', `/searches/${id}/${step}`, { version, ...more });
const ids = async () =>
  (
    await desk.rows(
      `select s.id as "caseSearchId", c.id as "clientId", k.id as "caseId"
       from case_searches s, clients c, conveyancing_cases k where s.reference = 'S1'`,
    )
  )[0];
const taskStatus = async () => (await desk.rows("select status from tasks where reference = 'T1'"))[0].status;

const newSearch = () => ({
  id: randomUUID(),
  code: 'CON29DW',
  name: 'Drainage and water search',
  supplier: 'The water company',
  explanation: 'Your water supply and drainage.',
  price: { net: 4_600, vat_rate: 20 },
  refund_rule: 'Full refund until we order it.',
  required_by: 'lender',
  status: 'awaiting_payment',
  pay_by: '2026-11-27',
});

describe('adding a search at the desk', () => {
  test('a search is added after the others, with a task to pay, and once for a repeated request', async () => {
    const browser = await desk.signIn();
    const [matter] = (await desk.readCase(browser)).matters;
    const sent = newSearch();
    const add = (change = {}) =>
      browser.call('POST', `/matters/${matter?.id}/searches`, { ...sent, ...change });
    const answers = await Promise.all([add(), add()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.data.search).toMatchObject({
      reference: `desk-${sent.id}`,
      is_from_desk: true,
      sent_at: null,
      price: { net: 4_600, vat: 920, gross: 5_520 },
      payable: true,
    });
    const found = await desk.readCase(browser);
    expect(found.searches.map(({ reference }) => reference)).toEqual(['S1', `desk-${sent.id}`]);
    expect(found.tasks.filter(({ is_from_desk }) => is_from_desk)).toMatchObject([
      {
        kind: 'pay_search',
        title: 'Pay for the drainage and water search',
        due_on: '2026-11-27',
        status: 'open',
      },
    ]);
    expect(await add({ name: 'Another search' })).toMatchObject({ status: 422 });
    expect((await add({ id: randomUUID(), price: { net: 0, vat_rate: 0 } })).body.errors).toEqual({
      status: ['cannot be awaiting_payment: the price is 0'],
    });
    expect(await desk.importing(deskFeed)).toMatchObject({ updated: 0, rejected: [] });
    expect((await desk.readCase(browser)).searches.map(({ reference }) => reference)).toEqual([
      'S1',
      `desk-${sent.id}`,
    ]);
  });
});

describe('replacing a search at the desk', () => {
  const replace = async (browser: DeskMember, { id, version }: DeskSearch) => {
    const [matter] = (await desk.readCase(browser)).matters;
    const sent = { ...newSearch(), code: 'ENVIRO', replaces: { id, version } };
    return () => browser.call('POST', `/matters/${matter?.id}/searches`, sent);
  };

  test('replacing a search cancels it with its task and adds the other one in one change, and once for a repeated request', async () => {
    const browser = await desk.signIn();
    const send = await replace(browser, await searchOf(browser));
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { searches, tasks } = await desk.readCase(browser);
    expect(searches).toMatchObject([{ status: 'cancelled' }, { status: 'awaiting_payment', payable: true }]);
    expect(tasks.map(({ title, status }) => [title, status])).toEqual([
      ['Pay for the drainage and water search', 'open'],
      [expect.any(String), 'done'],
    ]);
  });

  test('a search is not replaced if a client is paying for it, or a colleague has changed it', async () => {
    const browser = await desk.signIn();
    const search = await searchOf(browser);
    const send = await replace(browser, search);
    const edit = { version: search.version, changes: { delayed_reason: 'The council is slow.' } };
    const edited = (await browser.call('PUT', `/searches/${search.id}`, edit)).data.search;
    expect((await send()).body).toMatchObject({
      code: 'changed_meanwhile',
      conflict: { current: { delayed_reason: 'The council is slow.' } },
    });
    await buildPayment(desk.testDatabase.database, { ...(await ids()), amount: 3_916 });
    expect(await (await replace(browser, edited))()).toMatchObject({ code: 'edit_not_possible' });
    expect((await desk.readCase(browser)).searches).toMatchObject([{ status: 'awaiting_payment' }]);
    expect(await taskStatus()).toBe('open');
  });
});

test('a member states what a search costs the firm, at most its price, and clients see neither once the supplier pays a part back', async () => {
  const browser = await desk.signIn();
  const search = await searchOf(browser);
  const edit = (changes: object) =>
    browser.call('PUT', `/searches/${search.id}`, { version: search.version, changes });
  expect((await edit({ supplier_cost: search.price.gross + 1 })).body.errors).toEqual({
    supplier_cost: [expect.stringMatching(/^cannot be more than the price with VAT, which is \d+ pence$/)],
  });
  expect((await edit({ supplier_cost: 3_000, rebate: 250 })).data.search).toMatchObject({
    supplier_cost: 3_000,
    rebate: 250,
  });
  const { clientId } = await ids();
  const [shown] = await readCaseSearches({}).forClient(desk.testDatabase.database, clientId);
  // What the supplier charges is not true while a part of it comes back.
  expect(shown).toMatchObject({ supplier_cost: null });
  expect(shown).not.toHaveProperty('rebate');
});

test('a search that costs more than its estimate needs the reason, which clients read', async () => {
  const browser = await desk.signIn();
  const search = await searchOf(browser);
  const edit = (changes: object) =>
    browser.call('PUT', `/searches/${search.id}`, { version: search.version, changes });
  const estimate = search.price.gross - 1;
  expect((await edit({ estimate })).body.errors).toEqual({
    above_estimate: [expect.stringMatching(/^is needed, because clients pay £/)],
  });
  const above = { estimate, above_estimate: 'The council has raised its fee.' };
  expect((await edit(above)).data.search).toMatchObject(above);
  const { clientId } = await ids();
  const [shown] = await readCaseSearches({}).forClient(desk.testDatabase.database, clientId);
  expect(shown).toMatchObject(above);
});

test('a feed that replaces the file of a result before the review withdraws the first file', async () => {
  const [letter] = deskFeed.documents;
  const [search] = deskFeed.searches;
  const result = (reference: string) => ({ ...letter, reference, group: 'searches', title: reference });
  const send = (reference: string, status = 'returned') =>
    desk.importing({
      ...deskFeed,
      documents: [...deskFeed.documents, result('R1'), ...(reference === 'R2' ? [result('R2')] : [])],
      searches: [{ ...search, status, result_document: reference }],
    });
  expect(await send('R1')).toMatchObject({ rejected: [] });
  expect(await send('R2')).toMatchObject({ rejected: [] });
  await send('R2', 'reviewed');
  expect(
    await desk.rows("select reference from documents where reference like 'R%' and withdrawn_at is null"),
  ).toEqual([{ reference: 'R2' }]);
});

describe('a search at the desk', () => {
  test('ordering a search completes its task, and its result is shared once', async () => {
    const browser = await desk.signIn();
    const ordered = await take(browser, await searchOf(browser), 'order', { expected_on: '2026-12-04' });
    expect(ordered.data.search).toMatchObject({
      status: 'ordered',
      ordered_at: '2026-11-23T09:00:00.000Z',
      expected_on: '2026-12-04',
    });
    expect(await taskStatus()).toBe('done');
    const { file_id } = (await browser.call('POST', '/files', anyPdf())).data;
    const result = {
      outcome: 'attention',
      outcome_summary: 'A drain runs under the garden.',
      document: { file_id, file_name: 'result.pdf', title: 'Environmental result' },
    };
    const returned = await take(browser, ordered.data.search, 'result', result);
    const { documents } = await desk.readCase(browser);
    const shared = documents.find(({ reference }) => reference === `desk-${file_id}`);
    expect(shared).toMatchObject({
      group: 'searches',
      title: 'Environmental result',
      uploaded_by: 'Rhian Morgan',
    });
    expect(returned.data.search).toMatchObject({
      status: 'reviewed',
      outcome: 'attention',
      returned_at: '2026-11-23T09:00:00.000Z',
      result_document_id: shared?.id,
    });
    // No client has seen the file that the feed had sent before.
    const former = documents.find(({ reference }) => reference === 'D1');
    expect(former).toMatchObject({ withdrawn_at: '2026-11-23T09:00:00.000Z' });
    expect(shared).toMatchObject({ supersedes: null, awaits_check: false });
    expect(await take(browser, ordered.data.search, 'result', result)).toMatchObject({ status: 200 });
    expect(await take(browser, returned.data.search, 'cancel')).toMatchObject({
      status: 409,
      message: 'Environmental is reviewed, so it can’t be cancelled.',
    });
    expect(await desk.importing(deskFeed)).toMatchObject({ updated: 0, rejected: [] });
  });

  test('clients see the file of a result once the search is reviewed, as shared on that day', async () => {
    const browser = await desk.signIn();
    const upload = async () => {
      const { file_id } = (await browser.call('POST', '/files', anyPdf())).data;
      return { file_id, file_name: 'result.pdf', title: 'Environmental result' };
    };
    const fileOf = async ({ file_id }: { file_id: string }) =>
      (await desk.readCase(browser)).documents.find(({ reference }) => reference === `desk-${file_id}`);
    const unchecked = { outcome: null, outcome_summary: 'To be read.' };
    const [wrong, right] = [await upload(), await upload()];
    const first = await take(browser, await searchOf(browser), 'result', { ...unchecked, document: wrong });
    expect(first.data.search).toMatchObject({ status: 'returned', outcome_summary: 'To be read.' });
    expect(await fileOf(wrong)).toMatchObject({
      awaits_check: true,
      id: first.data.search.result_document_id,
    });
    const second = await take(browser, first.data.search, 'result', { ...unchecked, document: right });
    // As an earlier version, clients would see it after the review.
    expect(await fileOf(wrong)).toMatchObject({
      withdrawn_at: '2026-11-23T09:00:00.000Z',
      superseded_by: null,
    });
    desk.clock.advance(6 * 60_000);
    const clear = { outcome: 'clear', outcome_summary: 'No issues.', document: null };
    const reviewed = await take(browser, second.data.search, 'result', clear);
    expect(await fileOf(right)).toMatchObject({ awaits_check: false, shared_at: '2026-11-23T09:06:00.000Z' });
    const another = { outcome: null, outcome_summary: null, document: await upload() };
    expect((await take(browser, reviewed.data.search, 'result', another)).body.errors).toEqual({
      outcome: ['is required: clients see the new file at once'],
    });
  });

  test('an edit of a search can be undone', async () => {
    const browser = await desk.signIn();
    const { id, version, price } = await searchOf(browser);
    const changes = { price: { net: 5_000, vat_rate: 20 }, delayed_reason: 'The council is slow.' };
    const edited = await browser.call('PUT', `/searches/${id}`, { version, changes });
    expect(edited.data.search).toMatchObject({
      price: { gross: 6_000 },
      delayed_reason: 'The council is slow.',
    });
    const undone = await browser.call('PUT', `/searches/${id}`, edited.data.undo);
    expect(undone.data.search).toMatchObject({ price, delayed_reason: null });
    const outcome = { version: undone.data.search.version, changes: { outcome: 'clear' } };
    expect(await browser.call('PUT', `/searches/${id}`, outcome)).toMatchObject({ status: 409 });
  });

  test('a search cannot be ordered, cancelled or priced again while a client pays for it', async () => {
    const browser = await desk.signIn();
    const search = await searchOf(browser);
    await buildPayment(desk.testDatabase.database, { ...(await ids()), amount: 3_916 });
    for (const step of ['order', 'cancel']) {
      const refused = await take(browser, search, step);
      expect(refused).toMatchObject({ status: 409, code: 'edit_not_possible' });
      expect(refused.message).toContain('A client is paying for Environmental at this moment.');
    }
    const changes = { price: { net: 9_999, vat_rate: 20 } };
    expect(
      await browser.call('PUT', `/searches/${search.id}`, { version: search.version, changes }),
    ).toMatchObject({ status: 409, message: expect.stringContaining('A payment was started at this price') });
    expect(await searchOf(browser)).toMatchObject({ status: 'awaiting_payment', price: { gross: 3_916 } });
    expect(await taskStatus()).toBe('open');
  });

  test('cancelling and paying for a search concurrently: only one succeeds', async () => {
    const browser = await desk.signIn();
    const search = await searchOf(browser);
    const { dependencies } = createPaymentWorld(desk.testDatabase);
    const { clientId, caseSearchId } = await ids();
    const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
    const [cancelled, started] = await Promise.allSettled([
      take(browser, search, 'cancel'),
      startSearchPayment(dependencies, request),
    ]);
    const isStarted = started.status === 'fulfilled';
    if (!isStarted) expect(started.reason).toMatchObject({ code: 'not_payable' });
    expect(cancelled).toMatchObject({ value: { status: isStarted ? 409 : 200 } });
    expect(await searchOf(browser)).toMatchObject({ status: isStarted ? 'awaiting_payment' : 'cancelled' });
  });

  test('a search that another person paid for is ordered only once finance has checked them', async () => {
    const browser = await desk.signIn();
    const { id } = await buildPayment(desk.testDatabase.database, {
      ...(await ids()),
      ...{ status: 'succeeded', amount: 3_916, ownCard: false, payerName: 'Grace Hall' },
    });
    await desk.rows("update case_searches set status = 'paid', paid_at = now() where reference = 'S1'");
    for (const [step, more] of [
      ['order', {}],
      ['result', { outcome: null, outcome_summary: null, document: null }],
    ] as const)
      expect(await take(browser, await searchOf(browser), step, more), step).toMatchObject({
        status: 409,
        code: 'edit_not_possible',
        message: expect.stringContaining('Finance checks who paid'),
      });
    await desk.rows(
      `update payments set payer_check = '{"recorded_at": "2026-11-23T09:00:00.000Z"}' where id = $1`,
      [id],
    );
    expect(await take(browser, await searchOf(browser), 'order')).toMatchObject({ status: 200 });
  });

  test('a refunded search is not offered again by a feed that never marked it as paid', async () => {
    const browser = await desk.signIn();
    await buildPayment(desk.testDatabase.database, { ...(await ids()), status: 'refunded', amount: 3_916 });
    await desk.rows("update case_searches set status = 'paid', paid_at = now() where reference = 'S1'");
    const { id, version } = await searchOf(browser);
    await browser.call('PUT', `/searches/${id}`, { version, changes: { expected_on: '2026-12-04' } });
    const [sent] = deskFeed.searches;
    await desk.importing({ ...deskFeed, searches: [{ ...sent, name: 'Environmental search' }] });
    expect(await searchOf(browser)).toMatchObject({ status: 'paid', name: 'Environmental search' });
    expect(await desk.rows('select from payments where search_released_at is not null')).toEqual([]);
  });

  test('a search that a client has paid meanwhile is not changed, and the answer says why', async () => {
    const browser = await desk.signIn();
    const search = await searchOf(browser);
    await buildPayment(desk.testDatabase.database, { ...(await ids()), status: 'succeeded', amount: 3_916 });
    await desk.rows("update case_searches set status = 'paid', paid_at = now() where reference = 'S1'");
    expect((await take(browser, search, 'cancel')).body).toMatchObject({
      code: 'changed_meanwhile',
      conflict: { current: { status: 'paid', money: { status: 'succeeded' } } },
    });
  });
});
