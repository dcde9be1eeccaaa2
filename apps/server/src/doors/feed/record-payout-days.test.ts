import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { withFeedServer } from '../../testing/feed-caller.ts';

const { call, rows, newKey } = withFeedServer();
const today = new Date().toISOString().slice(0, 10);

/** Stores a payout that has arrived, of which a fee was taken. */
async function buildPayout(id: string, { toTransfer = 250 }: { toTransfer?: number } = {}) {
  await rows(
    `insert into payouts (provider, payout_id, amount, currency, status, arrives_on, created_at, is_itemised, to_transfer)
     values ('sandbox', $1, 4750, 'gbp', 'paid', $2, now() - interval '1 day', true, $3)`,
    [id, today, toTransfer],
  );
  return id;
}
const send = (id: string, payload: unknown, secret?: string) =>
  call('PUT', `/payouts/${id}`, { payload, ...(secret ? { secret } : {}) });
const stored = (id: string) =>
  rows(
    `select matched_on::text, matched_by, matched_by_staff, transferred_on::text, transferred_by from payouts where payout_id = $1`,
    [id],
  );

test('a ledger records the days of a payout with its key, and removes them', async () => {
  const id = await buildPayout('po_1');
  const days = { matched_on: today, transferred_on: today };
  expect(await send(id, days)).toMatchObject({
    status: 200,
    body: { data: { payout: id, result: 'updated' } },
  });
  expect((await send(id, days)).body.data.result).toBe('unchanged');
  expect(await stored(id)).toEqual([
    { ...days, matched_by: 'Case management', matched_by_staff: null, transferred_by: 'Case management' },
  ]);
  expect(
    await rows(
      `select action, actor_kind, actor_name from audit_entries where action like 'payment.payout_%' order by 1`,
    ),
  ).toEqual(
    ['payment.payout_matched', 'payment.payout_transferred'].map((action) => ({
      action,
      actor_kind: 'feed_key',
      actor_name: 'Case management',
    })),
  );
  expect((await send(id, { matched_on: null })).body.data.result).toBe('updated');
  expect(await stored(id)).toMatchObject([{ matched_on: null, matched_by: null, transferred_on: today }]);
});

test('a ledger stores neither day of a payout if one is not possible, and cannot replace a day', async () => {
  const complete = await buildPayout('po_complete', { toTransfer: 0 });
  expect(await send(complete, { matched_on: today, transferred_on: today })).toMatchObject({
    status: 409,
    body: { code: 'feed_not_possible', message: expect.stringContaining('There is nothing to move') },
  });
  expect(await stored(complete)).toMatchObject([{ matched_on: null }]);
  const id = await buildPayout('po_2');
  await rows("update payouts set matched_on = $2, matched_by = 'Joel Adeyemi' where payout_id = $1", [
    id,
    '2026-11-02',
  ]);
  expect(await send(id, { matched_on: today })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Joel Adeyemi has recorded 2 Nov 2026 already') },
  });
});

test('a ledger cannot remove the day that a member recorded', async () => {
  const id = await buildPayout('po_of_member');
  await rows(
    "update payouts set matched_on = $2, matched_by = 'Joel Adeyemi', matched_by_staff = gen_random_uuid() where payout_id = $1",
    [id, today],
  );
  expect(await send(id, { matched_on: null })).toMatchObject({
    status: 409,
    body: { message: 'Joel Adeyemi recorded this day at the desk. Only a member can remove it, there.' },
  });
  expect(await stored(id)).toMatchObject([{ matched_on: today }]);
});

test.each([
  [{ matched_on: '2026-11-31', transferred_on: 5 }, ['matched_on', 'transferred_on']],
  [{ matched_on: '2099-01-01' }, ['matched_on']],
  [{ arrived: today }, ['arrived']],
  [{}, ['body']],
  [[], ['body']],
])('the days of a payout %j are rejected with all their reasons', async (days, fields) => {
  const id = await buildPayout(`po_${randomUUID()}`);
  const { status, body } = await send(id, days);
  expect(status).toBe(422);
  expect(Object.keys(body.errors).sort()).toEqual(fields);
});

test('a key without the scope payouts:write records no payout, and there are no days for an unknown one', async () => {
  const id = await buildPayout('po_other');
  const { secret } = await newKey('cases:write', 'bills:write');
  expect(await send(id, { matched_on: today }, secret)).toMatchObject({
    status: 403,
    body: { message: 'This API key may not write payouts.' },
  });
  expect((await send('po_none', { matched_on: today })).status).toBe(404);
});
