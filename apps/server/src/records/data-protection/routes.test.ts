import type { StaffRole } from '@keyturn/contract/staff';
import { buildCase, buildClient, buildPayment, buildStoredDocument, withTestServer } from '@keyturn/testkit';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildStaff, startStaffSession } from '../../testing/serve-staff.ts';

const server = withTestServer();
const unknownId = '00000000-0000-4000-8000-000000000000';
const members = {} as Record<StaffRole, string>;
beforeAll(async () => {
  for (const role of ['handler', 'finance', 'admin'] as const)
    members[role] = (await buildStaff(server, { role, name: `The ${role}` })).id;
});

const rows = async (text: string, values: unknown[] = []) => (await server.pool.query(text, values)).rows;

async function call(
  role: StaffRole,
  method: 'GET' | 'POST',
  path: string,
  { body, isConfirmed = true }: { body?: object; isConfirmed?: boolean } = {},
) {
  const headers = await startStaffSession(server, members[role]);
  if (!isConfirmed) await rows("update staff_sessions set confirmed_at = now() - interval '6 minutes'");
  const answer = await server.app.inject({
    method,
    url: `/api/staff${path}`,
    headers: { host: 'desk.example.test', origin: 'http://desk.example.test', ...headers },
    remoteAddress: '203.0.113.62',
    ...(body ? { payload: body } : {}),
  });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const { data, code, message, errors } = isJson ? answer.json() : ({} as Record<string, undefined>);
  return { status: answer.statusCode, data, code, message, errors, answer };
}

/** A completed case, which was closed a number of years ago. */
async function closedCase(yearsAgo: number, clients: object[] = [{}]) {
  const built = await buildCase(server.database, { status: 'completed', clients });
  await rows(
    "update conveyancing_cases set closed_at = '2026-06-01T09:00:00Z'::timestamptz - make_interval(years => $2) where id = $1",
    [built.id, yearsAgo],
  );
  return built;
}

const auditOf = (subject: string) =>
  rows(
    `select action, actor_kind, actor_name, address, after from audit_entries join audit_links on entry_id = id
     where subject_id = $1 order by position`,
    [subject],
  );
const byAdmin = { actor_kind: 'staff', actor_name: 'The admin', address: '203.0.113.62' };

test('staff find a client by name, email address or reference, and list the clients without a case', async () => {
  const { reference } = await buildCase(server.database, {
    clients: [
      { reference: 'FOUND-7', firstName: 'Zoë', lastName: 'O’Brien', email: 'zoe.find@example.test' },
    ],
  });
  const enquiry = await buildClient(server.database, { firstName: 'Enquiring', lastName: 'Aardvark' });
  const erased = await buildClient(server.database, { firstName: 'Erased', lastName: 'Aardvark' });
  await rows('update clients set erased_at = now(), email = $2 where id = $1', [
    erased.id,
    `${erased.id}@erased.invalid`,
  ]);
  const find = async (q: string) =>
    (await call('handler', 'GET', `/clients?q=${encodeURIComponent(q)}`)).data.clients;
  for (const q of ['zoe obrien', 'O’Brien', ' ZOE.FIND@example.test', 'found-7'])
    expect(await find(q), q).toMatchObject([
      {
        reference: 'FOUND-7',
        name: 'Zoë O’Brien',
        email: 'zoe.find@example.test',
        case_references: [reference],
      },
    ]);
  for (const q of ['zoe unknown', '%', '_', "';", 'Erased Aardvark']) expect(await find(q), q).toEqual([]);

  const listed = async (path: string) => (await call('admin', 'GET', path)).data;
  for (const path of ['/clients', '/clients?q=', '/clients?q=%20'])
    expect((await listed(path)).clients[0], path).toMatchObject({ id: enquiry.id, case_references: [] });
  expect((await listed('/clients')).clients.map(({ id }: { id: string }) => id)).not.toContain(erased.id);
  expect((await call('finance', 'GET', '/clients')).status).toBe(403);
  expect((await call('admin', 'GET', `/clients?q=${'a'.repeat(201)}`)).status).toBe(422);
  expect((await call('admin', 'GET', '/clients?q=a%00b')).status).toBeLessThan(500);

  await rows(
    `insert into clients select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
       'reference', 'many ' || number, 'email', 'many' || number || '@example.test'))).*
     from clients c, generate_series(1, 51) number where c.id = $1`,
    [enquiry.id],
  );
  const many = await listed('/clients?q=many');
  expect({ count: many.clients.length, hasMore: many.has_more }).toEqual({ count: 50, hasMore: true });
});

test('staff see what is kept about a client, with the end of each retention rule that applies', async () => {
  const closed = await closedCase(1, [{ reference: 'KEPT-1', firstName: 'Amelia' }, { firstName: 'Tom' }]);
  const paidAt = new Date('2026-07-01T09:00:00Z');
  const payment = { caseId: closed.id, clientId: closed.clientId, status: 'succeeded', paidAt } as const;
  await buildPayment(server.database, { ...payment, updatedAt: paidAt });
  const open = await buildCase(server.database, { clients: [{ id: closed.clientId }] });
  const { status, data } = await call('handler', 'GET', `/clients/${closed.clientId}/data`);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    client: { reference: 'KEPT-1', name: expect.stringMatching(/^Amelia /) },
    without_cases: null,
    holds: [],
  });
  const found = Object.fromEntries(data.cases.map((each: { id: string }) => [each.id, each]));
  expect(found[closed.id]).toMatchObject({
    status: 'completed',
    payments: 1,
    shared_with: [expect.stringMatching(/^Tom /)],
    rules: [
      { kind: 'purchase', months: 180, until: '2040-06-01T09:00:00.000Z' },
      { kind: 'payments', months: 84, until: '2033-07-01T09:00:00.000Z' },
    ],
    retained_until: '2040-06-01T09:00:00.000Z',
    deletes: false,
  });
  expect(found[open.id]).toMatchObject({
    closed_at: null,
    rules: [{ kind: 'purchase', until: null }],
    retained_until: null,
  });

  const enquiry = await buildClient(server.database, { createdAt: paidAt, updatedAt: paidAt });
  expect((await call('admin', 'GET', `/clients/${enquiry.id}/data`)).data.without_cases).toEqual({
    kind: 'clients_without_cases',
    months: 12,
    until: '2027-07-01T09:00:00.000Z',
    deletes: false,
  });
});

test('a handler places legal holds with a reason, and only an admin who has confirmed who they are releases them', async () => {
  const { id, clientId, clientIds } = await closedCase(1, [{}, { firstName: 'Tom', lastName: 'Birch' }]);
  const [, tom] = clientIds;
  const place = (path: string, reason: string) =>
    call('handler', 'POST', `${path}/hold`, { body: { reason } });
  expect(await place(`/cases/${id}`, ' ')).toMatchObject({ status: 422 });
  expect(await place(`/cases/${id}`, 'x'.repeat(501))).toMatchObject({ status: 422 });
  expect(await place(`/cases/${id}`, 'pay 12-34-56 12345678')).toMatchObject({ status: 422 });
  expect(await place(`/cases/${unknownId}`, 'a claim')).toMatchObject({ status: 404 });
  expect(await place(`/clients/${id}`, 'a claim')).toMatchObject({ status: 404 });
  expect(await place(`/cases/${id}`, ' Claim of March 2026 ')).toMatchObject({ status: 204 });
  expect(await place(`/clients/${tom}`, 'SRA enquiry')).toMatchObject({ status: 204 });
  expect(await place(`/cases/${id}`, 'a claim')).toMatchObject({
    code: 'edit_not_possible',
    message: expect.stringContaining('is under a legal hold already'),
  });

  const release = (role: StaffRole, isConfirmed: boolean) =>
    call(role, 'POST', `/cases/${id}/hold/release`, { body: { reason: 'Claim settled' }, isConfirmed });
  expect(await release('handler', true)).toMatchObject({ status: 403, code: 'role_not_permitted' });
  expect(await release('admin', false)).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
  expect(await release('admin', true)).toMatchObject({ status: 204 });
  expect(await release('admin', true)).toMatchObject({ status: 409, code: 'edit_not_possible' });
  expect((await call('handler', 'GET', `/clients/${clientId}/data`)).data.holds).toMatchObject([
    { kind: 'client', subject_id: tom, subject_name: 'Tom Birch', reason: 'SRA enquiry', released_at: null },
    {
      kind: 'case',
      subject_id: id,
      reason: 'Claim of March 2026',
      placed_by: 'The handler',
      released_by: 'The admin',
      release_reason: 'Claim settled',
    },
  ]);
  expect(await auditOf(id)).toMatchObject([
    { action: 'case.hold_placed', actor_kind: 'staff', actor_name: 'The handler', address: '203.0.113.62' },
    { action: 'case.hold_released', ...byAdmin },
  ]);
  await expect(
    rows("update legal_holds set release_reason = 'x' where subject_id = $1", [id]),
  ).rejects.toThrow('does not change');
});

test('an admin downloads the archive of the command after confirming who they are, and it is audited', async () => {
  const { clientId, matterId } = await closedCase(1, [{ reference: 'EXPORT-1' }]);
  const { database, files } = server;
  const kept = await buildStoredDocument(database, files, { matterId, fileName: 'contract.pdf' });
  const lost = await buildStoredDocument(database, files, {
    matterId,
    fileName: 'plan.pdf',
    content: Buffer.from('a plan'),
  });
  await files.lose(lost.sha256);
  const path = `/clients/${clientId}/export`;
  expect(await call('handler', 'GET', path)).toMatchObject({ status: 403, code: 'role_not_permitted' });
  expect(await call('admin', 'GET', path, { isConfirmed: false })).toMatchObject({
    code: 'identity_not_confirmed',
  });
  expect(await auditOf(clientId)).toEqual([]);

  const { status, answer } = await call('admin', 'GET', path);
  expect(status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="Client EXPORT-1.zip"',
  });
  const entries = unzipSync(answer.rawPayload);
  const document = `documents/${kept.reference}/contract.pdf`;
  expect(Object.keys(entries)).toEqual(['client.json', document, 'missing-files.txt']);
  expect(Buffer.from(entries[document] ?? [])).toEqual(await files.read(kept.sha256, 1_000_000));
  expect(strFromU8(entries['missing-files.txt'] ?? new Uint8Array())).toContain(
    `documents/${lost.reference}/plan.pdf`,
  );
  expect(JSON.parse(strFromU8(entries['client.json'] ?? new Uint8Array())).client).toMatchObject([
    { id: clientId },
  ]);
  expect(await auditOf(clientId)).toMatchObject([{ action: 'client.data_exported', ...byAdmin }]);
});

test('an admin cannot erase a client while a retention, a hold or an open case requires them, nor by another plan or reference', async () => {
  const { id, clientId } = await closedCase(1, [{ reference: 'KEEP-2' }]);
  const path = `/clients/${clientId}/erasure`;
  const plan = async () => (await call('admin', 'GET', path)).data.plan;
  const erase = (version: string, reference = 'KEEP-2') =>
    call('admin', 'POST', path, { body: { version, reference } });
  expect(await call('handler', 'GET', path)).toMatchObject({ status: 403 });
  const early = await plan();
  expect(early).toMatchObject({ obstacles: [], retained: [expect.stringContaining('has to be kept until')] });
  expect(await erase(early.version)).toMatchObject({
    code: 'edit_not_possible',
    message: expect.stringMatching(/^Nothing was erased\. Case .* has to be kept until /),
  });
  await rows("update conveyancing_cases set closed_at = '2006-06-01T09:00:00Z' where id = $1", [id]);
  const due = await plan();
  expect(due).toMatchObject({ obstacles: [], retained: [] });
  await call('handler', 'POST', `/clients/${clientId}/hold`, { body: { reason: 'a claim' } });
  expect(await erase(due.version)).toMatchObject({ message: expect.stringContaining('legal hold: a claim') });
  await call('admin', 'POST', `/clients/${clientId}/hold/release`, { body: { reason: 'settled' } });
  await rows("update conveyancing_cases set status = 'active', closed_at = null where id = $1", [id]);
  expect(await erase(due.version)).toMatchObject({ message: expect.stringContaining('is open') });
  await rows(
    "update conveyancing_cases set status = 'completed', closed_at = '2006-06-01T09:00:00Z' where id = $1",
    [id],
  );

  expect(await erase(due.version, 'KEEP-3')).toMatchObject({
    status: 422,
    errors: { reference: [expect.anything()] },
  });
  expect(
    await call('admin', 'POST', path, {
      body: { version: due.version, reference: 'KEEP-2' },
      isConfirmed: false,
    }),
  ).toMatchObject({
    code: 'identity_not_confirmed',
  });
  await closedCase(20, [{ id: clientId }]);
  expect(await erase(due.version)).toMatchObject({ status: 409, code: 'changed_meanwhile' });
  expect(await rows('select id from clients where id = $1', [clientId])).toHaveLength(1);
  expect(await call('admin', 'GET', `/clients/${unknownId}/erasure`)).toMatchObject({ status: 404 });
});

test('an erasure that only the client’s open payment prevents cancels it, and can then be repeated', async () => {
  const { id: caseId, clientId } = await closedCase(20, [{ reference: 'PAYING-1' }]);
  const { id: paymentId } = await buildPayment(server.database, { caseId, clientId });
  const path = `/clients/${clientId}/erasure`;
  const erase = async () => {
    const { version } = (await call('admin', 'GET', path)).data.plan;
    return call('admin', 'POST', path, { body: { version, reference: 'PAYING-1' } });
  };
  expect(await erase()).toMatchObject({
    code: 'edit_not_possible',
    message: expect.stringContaining('are now being cancelled. Please try again in a few minutes.'),
  });
  await expect
    .poll(() => rows('select status from payments where id = $1', [paymentId]))
    .toEqual([{ status: 'cancelled' }]);
  expect(await erase()).toMatchObject({ status: 200 });
});

test('an admin erases a client by the plan that they read, and sees when the files are removed', async () => {
  const { id, clientId, matterId } = await closedCase(20, [{ reference: 'GONE-1' }]);
  const document = await buildStoredDocument(server.database, server.files, {
    matterId,
    content: Buffer.from('a file of this case alone'),
  });
  await call('handler', 'POST', `/cases/${id}/hold`, { body: { reason: 'a claim by Amelia' } });
  await call('admin', 'POST', `/cases/${id}/hold/release`, { body: { reason: 'Amelia has withdrawn it' } });
  const path = `/clients/${clientId}/erasure`;
  const { data } = await call('admin', 'GET', path);
  expect(data).toMatchObject({ plan: { erased: [{ documents: 1 }], staying: [] }, record: null });
  const erased = await call('admin', 'POST', path, {
    body: { version: data.plan.version, reference: ' GONE-1 ' },
  });
  expect(erased).toMatchObject({
    status: 200,
    data: { ordered_by: 'The admin', case_numbers: [expect.any(Number)] },
  });
  expect(await rows('select id from conveyancing_cases where id = $1', [id])).toEqual([]);
  expect(await rows('select reason, release_reason from legal_holds where subject_id = $1', [id])).toEqual([
    { reason: '', release_reason: null },
  ]);
  expect(await auditOf(clientId)).toMatchObject([
    { action: 'client.erased', ...byAdmin, after: { basis: 'request', before_retention_ended: false } },
  ]);
  await vi.waitFor(async () => {
    expect((await call('admin', 'GET', path)).data).toMatchObject({
      plan: null,
      record: { number: erased.data.number, files: { waiting: 0, removed: 1, kept: 0 } },
    });
  }, 20_000);
  expect(await server.files.has(document.sha256)).toBe(false);
  expect(await call('handler', 'GET', `/clients/${clientId}/data`)).toMatchObject({ status: 404 });
  expect(
    await call('admin', 'POST', path, { body: { version: '0'.repeat(16), reference: 'GONE-1' } }),
  ).toMatchObject({
    status: 404,
  });
});
