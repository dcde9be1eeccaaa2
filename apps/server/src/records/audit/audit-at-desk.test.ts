import { randomUUID } from 'node:crypto';
import { buildCase, buildPayment, withTestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHandlers } from '../../doors/staff/audit-routes.ts';
import type { AuditSubjectKind } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';

const stored = withTestDatabase();
let desk: Awaited<ReturnType<typeof serveStaff>>;
type Caller = Awaited<ReturnType<typeof openSession>>;
let admin: Caller;
let handler: Caller;
beforeAll(async () => {
  desk = await serveStaff(stored, {
    handlers: (clock) => auditHandlers({ database: stored.database, clock }),
  });
  [admin, handler] = [await openSession(stored, desk, { role: 'admin' }), await openSession(stored, desk)];
});
afterAll(() => desk.app.close());

const record = (kind: AuditSubjectKind, id: string, day = '2026-11-20', time = '12:00:00Z') =>
  recordAudit(stored.database, {
    occurredAt: new Date(`${day}T${time}`),
    actor: { kind: 'staff', id: 'the member', name: 'Rhian Morgan' },
    action: 'payment.review_decided',
    subject: { kind, id },
    address: '203.0.113.9',
    after: { decision: 'sync' },
  });

test('admins page through the log and filter it by actor, action, subject and day', async () => {
  for (const day of ['2026-11-18', '2026-11-19', '2026-11-20']) await record('payment', 'a payment', day);
  const read = async (query: Record<string, string>) =>
    (await admin.call('GET', `/audit?${new URLSearchParams(query)}`)).data;
  const first = await read({ subject: 'a payment', limit: '2' });
  expect(first.entries).toMatchObject([
    { at: '2026-11-20T12:00:00.000Z', address: '203.0.113.9', after: { decision: 'sync' } },
    { at: '2026-11-19T12:00:00.000Z' },
  ]);
  const second = await read({ subject: 'a payment', limit: '2', before: String(first.next_before) });
  expect(second).toMatchObject({ entries: [{ at: '2026-11-18T12:00:00.000Z' }], next_before: null });
  expect((await read({ actor: 'the member', from: '2026-11-19', to: '2026-11-19' })).entries).toHaveLength(1);
  expect((await read({ actor: 'Rhian Morgan', action: 'payment.refund_requested' })).entries).toEqual([]);
  expect(await admin.call('GET', '/audit?action=nothing')).toMatchObject({ status: 422 });
});

test.each([
  [
    'summer',
    '2026-06-13T23:00:00.000Z',
    '2026-06-14T22:59:59.999Z',
    '2026-06-14T23:00:00.000Z',
    '2026-06-14',
  ],
  [
    'winter',
    '2026-01-14T00:00:00.000Z',
    '2026-01-14T23:59:59.999Z',
    '2026-01-15T00:00:00.000Z',
    '2026-01-14',
  ],
])(
  'the days of the audit log and of its export are days in London, in %s',
  async (season, first, last, after, day) => {
    for (const at of [first, last, after]) {
      await record('payment', `a payment in ${season}`, ...(at.split('T') as [string, string]));
    }
    const query = new URLSearchParams({ subject: `a payment in ${season}`, from: day, to: day });
    const { data } = await admin.call('GET', `/audit?${query}`);
    expect(data.entries.map(({ at }: { at: string }) => at)).toEqual([last, first]);
    const { text } = await admin.call('GET', `/audit/export?${query}`);
    expect(text.split('\r\n').slice(1, -1)).toHaveLength(2);
  },
);

test('the desk verifies the audit log, also against a recorded position', async () => {
  await record('payment', 'another payment');
  const verify = async (body: object) => (await admin.call('POST', '/audit/verify', body)).data;
  const { head, ...intact } = await verify({});
  expect(intact).toEqual({ problem: null, verified_at: '2026-11-23T09:00:00.000Z' });
  expect(await verify({ expected: head })).toMatchObject({ problem: null });
  const [position] = head.split(':');
  expect(await verify({ expected: `${Number(position) + 5}:${'0'.repeat(64)}` })).toMatchObject({
    head: null,
    problem: expect.stringMatching(/^the log ends at entry/),
  });
});

test('an export at the desk equals that of the command, is audited first, and needs a recent confirmation', async () => {
  await record('payment', '=HYPERLINK("x")');
  const answer = await admin.call('GET', '/audit/export');
  expect(answer.headers).toMatchObject({
    'content-disposition': 'attachment; filename="Audit log 2026-11-23.csv"',
  });
  const lines = answer.text.split('\r\n').slice(0, -1);
  expect(lines[0]).toBe(
    '\uFEFFposition,id,occurred_at,actor_kind,actor_id,actor_name,action,subject_kind,subject_id,address,before,after,content_hash,hash',
  );
  expect(answer.text).toContain(`"'=HYPERLINK(""x"")"`);
  expect(lines.at(-1)).toContain(`${admin.id},Rhian Morgan,audit.export_requested`);
  const json = await admin.call('GET', '/audit/export?format=jsonl&subject=%3DHYPERLINK(%22x%22)');
  expect(JSON.parse(json.text)).toMatchObject({ subject_id: '=HYPERLINK("x")', hash: expect.any(String) });
  const stale = await openSession(stored, desk, { role: 'admin', confirmedAgo: 6 * 60_000 });
  expect(await stale.call('GET', '/audit/export')).toMatchObject({
    status: 403,
    code: 'identity_not_confirmed',
  });
});

test('a HEAD request for a file of the desk gets 404, and is not audited as a download', async () => {
  const exports = async () =>
    (
      await stored.pool.query(
        "select count(*)::int as n from audit_entries where action = 'audit.export_requested'",
      )
    ).rows[0].n;
  const before = await exports();
  const id = randomUUID();
  for (const path of ['/audit/export', '/ledger/csv', `/clients/${id}/export`, `/documents/${id}/file`])
    expect(await admin.call('HEAD', path), path).toMatchObject({ status: 404 });
  expect(await exports()).toBe(before);
});

test('everyone at the firm sees who did what on a case and a payment, without addresses or other cases', async () => {
  const built = await buildCase(stored.database);
  const other = await buildCase(stored.database);
  const payment = await buildPayment(stored.database, { caseId: built.id, clientId: built.clientId });
  const { rows } = await stored.pool.query(
    `insert into refunds (id, payment_id, amount, status, last_cause, created_at, updated_at)
     values (gen_random_uuid(), $1, 600, 'awaiting_approval', 'test', now(), now()) returning id`,
    [payment.id],
  );
  const subjects: [AuditSubjectKind, string][] = [
    ['case', built.reference],
    ['search', built.caseSearchId],
    ['payment', payment.id],
    ['refund', rows[0].id],
  ];
  for (const [kind, id] of [...subjects, ['case', other.reference] as const]) await record(kind, id);
  // The same reference for a different kind of record.
  await record('task', built.reference);
  const trail = async (kind: string, id: string) => (await handler.call('GET', `/trail/${kind}/${id}`)).data;
  const ofCase = await trail('case', built.id);
  expect(ofCase.map(({ subject }: { subject: object }) => subject)).toEqual(
    subjects.map(([kind, id]) => ({ kind, id })).reverse(),
  );
  expect(ofCase[0]).toEqual({
    position: expect.any(Number),
    id: expect.any(String),
    at: '2026-11-20T12:00:00.000Z',
    actor: { kind: 'staff', name: 'Rhian Morgan' },
    action: 'payment.review_decided',
    subject: { kind: 'refund', id: rows[0].id },
    before: null,
    after: { decision: 'sync' },
  });
  const [newest, ...older] = ofCase;
  expect((await handler.call('GET', `/trail/case/${built.id}?limit=1`)).data).toEqual([newest]);
  const next = await handler.call('GET', `/trail/case/${built.id}?limit=2&before=${newest.position}`);
  expect(next.data).toEqual(older.slice(0, 2));
  expect(await trail('payment', payment.id)).toHaveLength(2);
  expect(await handler.call('GET', `/trail/staff/${admin.id}`)).toMatchObject({ status: 404 });
  for (const path of ['/audit', '/audit/export']) {
    expect(await handler.call('GET', path)).toMatchObject({ status: 403, code: 'role_not_permitted' });
  }
});
