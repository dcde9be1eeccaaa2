import {
  buildBill,
  buildCase,
  buildFirm,
  buildStoredDocument,
  buildTask,
  withTestServer,
} from '@keyturn/testkit';
import { beforeAll, expect, test } from 'vitest';
import { findClientFiles, readClientRecords } from '../../../records/data-protection/client-records.ts';
import { buildStaff, startStaffSession } from '../../../testing/serve-staff.ts';

const server = withTestServer();
beforeAll(() => buildFirm(server.database));
const rows = async (text: string, values: unknown[] = []) => (await server.pool.query(text, values)).rows;

/** Builds a case of Amelia and Tom, with a document that only Amelia can see wherever a document is named. */
async function buildHidden() {
  const { database, files } = server;
  const built = await buildCase(database, {
    clients: [
      { firstName: 'Amelia', reference: `A-${crypto.randomUUID()}` },
      { firstName: 'Tom', reference: `T-${crypto.randomUUID()}` },
    ],
    matters: [
      {
        searches: [{ status: 'reviewed' }],
        milestones: [{ key: 'report_sent', status: 'current', actor: 'us' }],
      },
    ],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  const { matterId, caseSearchId } = built;
  const hidden = { matterId, group: 'reports' as const, forClientId: amelia };
  const document = await buildStoredDocument(database, files, { ...hidden, title: 'About your gift' });
  await rows('update case_searches set result_document_id = $1 where id = $2', [document.id, caseSearchId]);
  const about = { caseId: built.id, documentId: document.id };
  await buildTask(database, { ...about, kind: 'read_document', title: 'Read it' });
  await buildTask(database, { ...about, kind: 'pay', amount: 500, title: 'Pay what it says' });
  await buildBill(database, about);
  return { ...built, amelia, tom, document };
}

/** What one client gets from every call that could show the document. */
async function seenBy(clientId: string, { document, caseSearchId }: Awaited<ReturnType<typeof buildHidden>>) {
  const headers = await server.signInAs(clientId);
  const send = (method: 'GET' | 'POST', path: string) =>
    server.app.inject({ method, url: `/api${path}`, headers });
  const get = async (path: string) => (await send('GET', path)).json().data;
  const status = async (path: string, method: 'GET' | 'POST' = 'GET') =>
    (await send(method, path)).statusCode;
  const { conveyancing_case } = await get('/client');
  const search = await get(`/case-searches/${caseSearchId}`);
  const named = [
    '/client',
    '/documents',
    '/case-searches',
    '/bills',
    '/milestones',
    '/case-history',
    '/payments',
  ];
  const bodies = await Promise.all(named.map(async (path) => (await send('GET', path)).body));
  return {
    listed: (await get('/documents')).map(({ title }: { title: string }) => title),
    document: await status(`/documents/${document.id}`),
    content: await status(`/documents/${document.id}/content`),
    original: await status(`/documents/${document.id}/content?version=original`),
    waiting: (await get('/milestones'))[0].waiting_for,
    unread: conveyancing_case.unread_documents,
    due: conveyancing_case.amount_due,
    tasks: conveyancing_case.tasks
      .map(({ title }: { title: string }) => title)
      .filter((title: string) => !title.startsWith('Pay our bill'))
      .toSorted(),
    result: search.result_document_id,
    isNamed: bodies.some((body) => body.includes(document.id) || body.includes(document.title)),
    read: await status(`/documents/${document.id}/read`, 'POST'),
  };
}

const nothing = {
  ...{ listed: [], document: 404, content: 404, original: 404, waiting: 'Us', unread: 0, tasks: [] },
  ...{ result: null, isNamed: false, read: 404 },
};

test('a document for one client is shown to them, and nothing of it to a joint client', async () => {
  const built = await buildHidden();
  const ofAmelia = await seenBy(built.amelia, built);
  expect(ofAmelia).toMatchObject({
    ...{ listed: ['About your gift'], document: 200, content: 200, original: 200, waiting: 'You', unread: 1 },
    ...{ tasks: ['Pay what it says', 'Read it'], result: built.document.id, isNamed: true, read: 200 },
  });
  const ofTom = await seenBy(built.tom, built);
  expect(ofTom).toMatchObject(nothing);
  expect(ofAmelia.due - ofTom.due).toBe(500);
});

test('a joint client who joins later sees nothing of a document for one client, also after that client has left', async () => {
  const built = await buildHidden();
  const { clientId: later } = await buildCase(server.database, { clients: [{ firstName: 'Imogen' }] });
  await rows('insert into case_clients (case_id, client_id) values ($1, $2)', [built.id, later]);
  await rows('update clients set active_case_id = $1 where id = $2', [built.id, later]);
  expect(await seenBy(later, built)).toMatchObject(nothing);
  await rows('delete from case_clients where case_id = $1 and client_id = $2', [built.id, built.amelia]);
  expect(await seenBy(later, built)).toMatchObject(nothing);
});

test('a document that everyone has stays their latest version while its new version is for one client', async () => {
  const built = await buildHidden();
  const { matterId, document } = built;
  const former = await buildStoredDocument(server.database, server.files, { matterId, title: 'For all' });
  await rows('update documents set supersedes_id = $1 where id = $2', [former.id, document.id]);
  const read = async (clientId: string) => {
    const headers = await server.signInAs(clientId);
    const found = await server.app.inject({ url: `/api/documents/${former.id}`, headers });
    return found.json().data.superseded_by;
  };
  expect(await read(built.tom)).toBeNull();
  expect(await read(built.amelia)).toBe(document.id);
});

test('a client’s export has the documents for them and none that is for a joint client', async () => {
  const built = await buildHidden();
  const exported = async (clientId: string) => {
    const { searches, documents, tasks, bills } = await readClientRecords(server.database, clientId);
    return {
      ...{ searches, bills, documents: documents?.length, tasks: tasks?.length },
      files: (await findClientFiles(server.database, clientId)).length,
    };
  };
  const { id } = built.document;
  expect(await exported(built.amelia)).toMatchObject({
    ...{
      searches: [{ result_document_id: id }],
      bills: [{ document_id: id }],
      documents: 1,
      tasks: 2,
      files: 1,
    },
  });
  expect(await exported(built.tom)).toMatchObject({
    ...{
      searches: [{ result_document_id: null }],
      bills: [{ document_id: null }],
      documents: 0,
      tasks: 0,
      files: 0,
    },
  });
});

test('the preview at the desk shows a document for one client only as that client', async () => {
  const built = await buildHidden();
  const headers = await startStaffSession(server, (await buildStaff(server, { role: 'handler' })).id);
  const preview = async (clientId: string) =>
    (
      await server.app.inject({ url: `/api/staff/cases/${built.id}/as/${clientId}/documents`, headers })
    ).json().data;
  expect(await preview(built.amelia)).toMatchObject([{ title: 'About your gift' }]);
  expect(await preview(built.tom)).toEqual([]);
});

test('a change of a document for one client is announced to them and the desk, and to a joint client only as its audience ends', async () => {
  const built = await buildHidden();
  const { document, amelia, id: caseId } = built;
  const announced = async (statement: string, values: unknown[]) => {
    await rows('delete from broadcast_events');
    await rows(statement, values);
    return rows('select channel, event, ids from broadcast_events order by channel, event');
  };
  const only = { channel: `private-client.${amelia}` };
  const all = { channel: `private-case.${caseId}` };
  const desk = { channel: 'private-desk', event: 'DeskUpdated', ids: [caseId] };
  const shared = { event: 'DocumentShared', ids: [document.id] };
  const task = (
    await rows("select id from tasks where document_id = $1 and kind = 'read_document'", [document.id])
  )[0];
  const updated = { event: 'TaskUpdated', ids: [task.id] };
  expect(await announced("update documents set title = 'A gift' where id = $1", [document.id])).toEqual([
    { ...only, ...shared },
    desk,
  ]);
  expect(await announced("update tasks set title = 'Read' where id = $1", [task.id])).toEqual([
    { ...only, ...updated },
    desk,
  ]);
  const read = 'insert into document_reads (document_id, client_id) values ($1, $2)';
  expect(await announced(read, [document.id, amelia])).toEqual([{ ...only, ...updated }, desk]);
  const change = 'update documents set for_client_id = $2 where id = $1';
  const both = [{ ...all, ...shared }, { ...only, ...shared }, desk];
  expect(await announced(change, [document.id, null])).toEqual(both);
  expect(await announced(change, [document.id, amelia])).toEqual(both);
  await rows('delete from broadcast_events');
  const added = await buildStoredDocument(server.database, server.files, {
    ...{ matterId: built.matterId, forClientId: amelia },
  });
  expect(await rows('select channel, ids from broadcast_events order by channel')).toEqual([
    { ...only, ids: [added.id] },
    { channel: desk.channel, ids: desk.ids },
  ]);
});

test('an erased client for whom a document is stays its audience, so that joint clients still do not see it', async () => {
  const built = await buildHidden();
  expect(await rows('select is_client_referenced($1) as kept', [built.amelia])).toEqual([{ kept: true }]);
  await expect(rows('delete from clients where id = $1', [built.amelia])).rejects.toThrow();
});
