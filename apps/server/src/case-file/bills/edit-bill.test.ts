import { randomUUID } from 'node:crypto';
import { anyPdf } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

const fee = { description: 'Our fee', net: 10_000, vat_code: 'standard', money: 'office' } as const;
const registration = {
  description: 'HM Land Registry fee',
  net: 4_500,
  vat_code: 'outside_scope',
  money: 'client',
} as const;
const bill = {
  reference: 'B1',
  case: 'K1',
  matter: 'M1',
  number: '118',
  description: 'Our fee',
  issued_on: '2026-11-18',
  lines: [fee],
  status: 'issued',
};
const importBill = (change: object = {}) => desk.importing({ ...deskFeed, bills: [{ ...bill, ...change }] });
const billOf = async (member: DeskMember) => (await desk.readCase(member)).bills[0];
async function edit(member: DeskMember, lines: readonly object[], version?: string) {
  const found = await billOf(member);
  return member.call('PUT', `/bills/${found?.id}`, {
    version: version ?? found?.version,
    changes: { lines },
  });
}
async function addPayment(status: 'requires_payment_method' | 'cancelled' | 'succeeded') {
  const { pool } = desk.testDatabase;
  const id = randomUUID();
  await pool.query(
    `insert into payments (id, case_id, client_id, kind, status, amount, description, category, lines, provider,
       provider_idempotency_key, bill_id, last_cause)
     select $1::uuid, bills.case_id, case_clients.client_id, 'other', 'requires_payment_method', 5000, 'Bill 118',
       'legal_fees', '[]', 'sandbox', $1::uuid::text, bills.id, 'test'
     from bills join case_clients on case_clients.case_id = bills.case_id limit 1`,
    [id],
  );
  if (status === 'requires_payment_method') return;
  await pool.query(
    "update payments set status = $2, paid_at = case when $2 = 'succeeded' then now() end where id = $1",
    [id, status],
  );
}
const upload = async (member: DeskMember, content: Buffer = anyPdf()): Promise<string> =>
  (await member.call('POST', '/files', content)).data.file_id;
async function setDocument(member: DeskMember, fileId: string) {
  const found = await billOf(member);
  return member.call('POST', `/bills/${found?.id}/document`, {
    version: found?.version,
    file_id: fileId,
    file_name: 'bill-118.pdf',
  });
}

describe('the lines of a bill at the desk', () => {
  test.each(['handler', 'finance', 'admin'] as const)(
    'a %s changes the lines of a bill, with undo',
    async (role) => {
      await importBill();
      const member = await desk.signIn(role);
      const { data } = await edit(member, [fee, registration]);
      expect(data.bill).toMatchObject({
        lines: [
          { ...fee, vat: 2_000, vat_rate: 20 },
          { ...registration, vat: 0, vat_rate: 0 },
        ],
        net: 14_500,
        vat: 2_000,
        gross: 16_500,
        lines_fixed_by: null,
        pays_client_money: true,
      });
      expect(data.undo.changes.lines).toMatchObject([fee]);
      await member.call('PUT', `/bills/${data.bill.id}`, data.undo);
      expect(await billOf(member)).toMatchObject({ lines: [fee], gross: 12_000 });
    },
  );

  test('a bill that was sent with a net amount and a rate gets lines, and its undo is the one line that it was', async () => {
    await importBill({ lines: undefined, net: 10_000, vat_rate: 20, vat: 2_000 });
    const member = await desk.signIn();
    const { data } = await edit(member, [registration]);
    expect(data).toMatchObject({
      bill: { gross: 4_500 },
      undo: { changes: { lines: [{ ...fee, vat: 2_000 }] } },
    });
  });

  test('a bill above its estimate needs the reason that clients read, and undo brings both back', async () => {
    await importBill();
    const member = await desk.signIn();
    const bill = await billOf(member);
    const send = (changes: object) =>
      member.call('PUT', `/bills/${bill?.id}`, {
        version: bill?.version,
        changes: { lines: [fee], ...changes },
      });
    expect(await send({ estimate: 11_000 })).toMatchObject({
      status: 422,
      body: {
        errors: { above_estimate: [expect.stringMatching(/£120\.00 and your estimate was £110\.00/)] },
      },
    });
    expect(await send({ above_estimate: 'More work.' })).toMatchObject({
      status: 422,
      body: { errors: { above_estimate: ['cannot be set without estimate'] } },
    });
    const estimated = { estimate: 11_000, above_estimate: 'The title took more work.' };
    const { data } = await send(estimated);
    expect(data.bill).toMatchObject(estimated);
    await member.call('PUT', `/bills/${bill?.id}`, data.undo);
    expect(await billOf(member)).toMatchObject({ estimate: null, above_estimate: null });
  });

  test('the audit log has the amounts, codes and money of the lines before and after, and only hashes of their texts', async () => {
    await importBill();
    await edit(await desk.signIn('finance', 'Joel Adeyemi'), [{ ...fee, net: 9_000 }, registration]);
    const [entry] = await desk.rows(
      "select actor_name, before, after from audit_entries where action = 'desk.record_changed' and subject_id = 'B1'",
    );
    expect(entry).toMatchObject({
      actor_name: 'Joel Adeyemi',
      before: { 'lines.0.net': 10_000, 'lines.1.money': null },
      after: { 'lines.0.net': 9_000, 'lines.1.money': 'client', 'lines.1.vat_code': 'outside_scope' },
    });
    expect(entry.after['lines.1.description']).toMatch(/^sha256:/);
  });

  test('lines that a colleague changed meanwhile are not overwritten, and a repeated request is accepted', async () => {
    await importBill();
    const [rhian, joel] = [await desk.signIn(), await desk.signIn('finance', 'Joel Adeyemi')];
    const before = await billOf(rhian);
    await edit(joel, [{ ...fee, net: 9_000 }]);
    expect(await edit(rhian, [{ ...fee, net: 8_000 }], before?.version)).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile', conflict: { changed_by: 'Joel Adeyemi', current: { net: 9_000 } } },
    });
    expect(await edit(rhian, [{ ...fee, net: 9_000 }], before?.version)).toMatchObject({ status: 200 });
  });

  test.each([
    ['an open payment', () => addPayment('requires_payment_method'), 'open', /A client is paying this bill/],
    ['a paid part', () => addPayment('succeeded'), 'paid', /Some of this bill has been paid/],
    [
      'a part that was paid otherwise',
      () => importBill({ paid: 100 }),
      'paid',
      /Some of this bill has been paid/,
    ],
  ])('the lines of a bill with %s cannot be changed', async (_case, pay, fixed, reason) => {
    await importBill();
    await pay();
    const member = await desk.signIn();
    expect(await billOf(member)).toMatchObject({ lines_fixed_by: fixed });
    expect(await edit(member, [registration])).toMatchObject({
      status: 409,
      body: { code: 'edit_not_possible', message: expect.stringMatching(reason) },
    });
  });

  test('a bill whose payment was cancelled can be changed', async () => {
    await importBill();
    await addPayment('cancelled');
    expect(await edit(await desk.signIn(), [registration])).toMatchObject({ status: 200 });
  });

  test('each field of a line that is missing or invalid is named at once, and so is VAT that is not that of the code', async () => {
    await importBill();
    const member = await desk.signIn();
    const { body } = await edit(member, [{ ...fee, description: ' ', net: 0 }, registration]);
    expect(Object.keys(body.errors)).toEqual(['changes.lines.0.description', 'changes.lines.0.net']);
    expect(await edit(member, [{ ...fee, vat: 5 }])).toMatchObject({
      body: { errors: { 'lines.0.vat': [expect.stringContaining('20%')] } },
    });
  });
});

describe('the document of a bill at the desk', () => {
  test('finance shares the PDF of a bill, and a newer version of it', async () => {
    await importBill();
    const member = await desk.signIn('finance', 'Joel Adeyemi');
    const first = await upload(member);
    expect((await setDocument(member, first)).status).toBe(200);
    const second = await upload(member);
    const { data } = await setDocument(member, second);
    const { documents } = await desk.readCase(member);
    expect(documents.filter(({ title }) => title === 'Bill 118')).toMatchObject([
      { id: data.bill.document_id, reference: `desk-${second}`, group: 'money', uploaded_by: 'Joel Adeyemi' },
      { reference: `desk-${first}`, superseded_by: data.bill.document_id },
    ]);
    // The answer to the first request was lost.
    expect((await setDocument(member, second)).data.bill.document_id).toBe(data.bill.document_id);
  });

  test('the document of a bill is a PDF that was uploaded', async () => {
    await importBill();
    const member = await desk.signIn();
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const file = await upload(member, picture);
    expect((await setDocument(member, file)).body.errors.file_id[0]).toMatch(/must be a PDF/);
    expect((await setDocument(member, randomUUID())).body.errors.file_id[0]).toMatch(/upload it again/);
    expect(await billOf(member)).toMatchObject({ document_id: null });
  });
});
