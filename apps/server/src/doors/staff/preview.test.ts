import {
  buildBill,
  buildCase,
  buildFirm,
  buildPayment,
  buildStoredDocument,
  buildTask,
  withTestServer,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildStaff, startStaffSession } from '../../testing/serve-staff.ts';

const server = withTestServer();

/** Amelia and Tom own it. Amelia’s active case is another one. */
let owned: { id: string; reference: string };
let active: { id: string };
let amelia: string;
let tom: string;
/** A client who owns another case. */
let george: string;
let headers: Record<string, string>;
beforeAll(async () => {
  await buildFirm(server.database);
  const built = await buildOwnedCase();
  owned = built;
  [amelia = '', tom = ''] = built.clientIds;
  active = await buildCase(server.database, { clients: [{ id: amelia }] });
  ({ clientId: george } = await buildCase(server.database, { clients: [{ firstName: 'George' }] }));
  headers = await startStaffSession(server, (await buildStaff(server, { role: 'finance' })).id);
});

/** Builds a case of Amelia and Tom with something in each list. */
async function buildOwnedCase() {
  const { database } = server;
  const built = await buildCase(database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
    matters: [{ searches: [{}, {}], milestones: [{ key: 'searches_paid', status: 'current' }] }],
    tasks: [{ title: 'Send us your passport' }],
    history: [{ summary: 'We opened your case' }, { summary: 'We asked the council' }],
  });
  const { id: documentId } = await buildStoredDocument(database, server.files, {
    matterId: built.matterId,
    signing: 'simple',
  });
  await buildTask(database, { caseId: built.id, kind: 'sign_document', documentId });
  await buildBill(database, { caseId: built.id });
  await buildPayment(database, {
    caseId: built.id,
    clientId: built.clientId,
    caseSearchId: built.matters[0]?.searchIds[0] ?? '',
    status: 'succeeded',
    paidAt: new Date(),
  });
  return built;
}

const get = async (path: string, sent: Record<string, string>) => {
  const answer = await server.app.inject({ url: `/api${path}`, headers: sent });
  return { status: answer.statusCode, body: answer.json() };
};
const preview = (clientId: string, path: string, caseId = owned.id) =>
  get(`/staff/cases/${caseId}/as/${clientId}${path}`, headers);

const paths = [
  '/client',
  '/milestones',
  '/case-searches',
  '/documents',
  '/case-history',
  '/bills',
  '/payments',
];

/** Makes a case the active one, as the client would. */
const choose = async (clientId: string, caseId: string) => {
  const chosen = await server.app.inject({
    method: 'PUT',
    url: '/api/client/active-case',
    headers: await server.signInAs(clientId),
    payload: { id: caseId },
  });
  expect(chosen.statusCode).toBe(200);
};

describe('the preview of a case', () => {
  test.each(paths)('the preview answers %s as the client’s own call does for that case', async (path) => {
    for (const clientId of [amelia, tom]) {
      await choose(clientId, owned.id);
      const own = await get(path, await server.signInAs(clientId));
      if (clientId === amelia) await choose(amelia, active.id);
      expect(own.status).toBe(200);
      expect(JSON.stringify(own.body).length).toBeGreaterThan(200);
      expect(await preview(clientId, path)).toEqual(own);
    }
  });

  test('the preview shows the requested case even if another one is the client’s active case', async () => {
    await choose(amelia, active.id);
    const [shown, other] = [await preview(amelia, '/client'), await preview(amelia, '/client', active.id)];
    expect(shown.body.data.conveyancing_case.id).toBe(owned.id);
    expect(shown.body.data.active_case).toEqual({ id: owned.id, reference: owned.reference });
    expect(other.body.data.conveyancing_case.id).toBe(active.id);
  });

  test('the preview pages through the history', async () => {
    const first = (await preview(amelia, '/case-history?limit=1')).body;
    const second = (await preview(amelia, `/case-history?limit=1&cursor=${first.meta.next_cursor}`)).body;
    expect([first.data.length, second.data.length]).toEqual([1, 1]);
    expect(second.data[0].id).not.toBe(first.data[0].id);
    expect((await preview(amelia, '/case-history?cursor=x')).status).toBe(422);
  });

  test.each(paths)(
    'the preview answers 404 to %s for a client of another case and for unknown ids',
    async (path) => {
      const unknown = '00000000-0000-4000-8000-000000000000';
      for (const [clientId, caseId] of [
        [george, owned.id],
        [tom, active.id],
        [unknown, owned.id],
        [amelia, unknown],
        ['x', owned.id],
        [amelia, "' or true"],
      ] as const)
        expect((await preview(clientId, path, encodeURIComponent(caseId))).status).toBe(404);
    },
  );

  test('the preview changes nothing but the audit log', async () => {
    const { id, clientId } = await buildOwnedCase();
    const before = await hashTables();
    for (const path of paths) expect((await preview(clientId, path, id)).status).toBe(200);
    expect(await hashTables()).toEqual(before);
  });

  test('the preview never contains a client secret', async () => {
    for (const path of paths)
      expect(JSON.stringify((await preview(amelia, path)).body)).not.toMatch(/secret/);
  });

  test('the preview is audited once a day for each member and case, even with concurrent requests', async () => {
    const entries = async () =>
      (
        await server.pool.query(
          `select actor_id, subject_id from audit_entries where action = 'case.previewed' and actor_id = $1`,
          [id],
        )
      ).rows;
    const { id } = await buildStaff(server, { role: 'handler' });
    const sent = await startStaffSession(server, id);
    const read = (caseId: string, clientId: string, path: string) =>
      get(`/staff/cases/${caseId}/as/${clientId}${path}`, sent);
    await Promise.all(paths.flatMap((path) => [read(owned.id, amelia, path), read(owned.id, tom, path)]));
    expect(await entries()).toEqual([{ actor_id: id, subject_id: owned.reference }]);
    await read(active.id, amelia, '/client');
    expect(await entries()).toHaveLength(2);
  });
});

/** Hashes the content of every table, except the audit log and the sessions of staff, which each request uses. */
async function hashTables(): Promise<Record<string, string>> {
  const tables = await server.pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'
      and table_type = 'BASE TABLE' and table_name not in ('audit_entries', 'audit_links', 'staff_sessions')`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await server.pool.query(
      `select md5(coalesce(string_agg(stored::text, ',' order by stored::text), '')) as hash from "${name}" stored`,
    );
    hashes[name] = rows[0].hash;
  }
  return hashes;
}
