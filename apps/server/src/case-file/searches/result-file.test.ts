import { buildCase, buildFirm, buildStoredDocument, buildTask, withTestServer } from '@keyturn/testkit';
import { beforeAll, expect, test } from 'vitest';
import { findClientFiles, readClientRecords } from '../../records/data-protection/client-records.ts';

const server = withTestServer();
beforeAll(() => buildFirm(server.database));
const rows = async (text: string, values: unknown[] = []) => (await server.pool.query(text, values)).rows;

async function buildResult() {
  const { database, files } = server;
  const built = await buildCase(database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
    matters: [
      {
        searches: [{ status: 'returned', outcome: 'attention', outcomeSummary: 'A road is planned nearby.' }],
      },
    ],
  });
  const { matterId, caseSearchId } = built;
  const former = await buildStoredDocument(database, files, { matterId, title: 'First answer' });
  const file = await buildStoredDocument(database, files, {
    matterId,
    title: 'Result',
    supersedesId: former.id,
  });
  await rows('update case_searches set result_document_id = $1 where id = $2', [file.id, caseSearchId]);
  await buildTask(database, {
    caseId: built.id,
    kind: 'read_document',
    documentId: file.id,
    title: 'Read it',
  });
  const [clientId = '', jointId = ''] = built.clientIds;
  return { ...built, clientId, jointId, former, file };
}

/** What one client gets from every call that could show the file. */
async function seenBy(clientId: string, { file, caseSearchId }: Awaited<ReturnType<typeof buildResult>>) {
  const headers = await server.signInAs(clientId);
  const get = (path: string) => server.app.inject({ method: 'GET', url: `/api${path}`, headers });
  const status = async (path: string) => (await get(path)).statusCode;
  const { conveyancing_case } = (await get('/client')).json().data;
  const { outcome, outcome_summary, result_document_id } = (
    await get(`/case-searches/${caseSearchId}`)
  ).json().data;
  const read = { method: 'POST' as const, url: `/api/documents/${file.id}/read`, headers };
  return {
    listed: (await get('/documents')).json().data.map(({ title }: { title: string }) => title),
    document: await status(`/documents/${file.id}`),
    content: await status(`/documents/${file.id}/content`),
    original: await status(`/documents/${file.id}/content?version=original`),
    read: (await server.app.inject(read)).statusCode,
    unread: conveyancing_case.unread_documents,
    tasks: conveyancing_case.tasks.map(({ title }: { title: string }) => title),
    search: [outcome, outcome_summary, result_document_id],
  };
}

test('no client sees the file of a result, its earlier versions, its task or what it says before the search is reviewed', async () => {
  const built = await buildResult();
  for (const clientId of [built.clientId, built.jointId])
    expect(await seenBy(clientId, built)).toEqual({
      ...{ listed: [], document: 404, content: 404, original: 404, read: 404, unread: 0, tasks: [] },
      search: [null, null, null],
    });
  await rows("update case_searches set status = 'reviewed' where id = $1", [built.caseSearchId]);
  for (const clientId of [built.clientId, built.jointId])
    expect(await seenBy(clientId, built)).toMatchObject({
      ...{ listed: ['Result', 'First answer'], document: 200, content: 200, original: 200, read: 200 },
      ...{ unread: 1, tasks: ['Read it'] },
      search: ['attention', 'A road is planned nearby.', built.file.id],
    });
});

test('a file that is also the result of a reviewed search stays with the clients', async () => {
  const built = await buildResult();
  const other = await buildCase(server.database, {});
  await rows(
    "update case_searches set status = 'reviewed', result_document_id = $1, matter_id = $3 where id = $2",
    [built.file.id, other.caseSearchId, built.matterId],
  );
  expect(await seenBy(built.clientId, built)).toMatchObject({ listed: ['Result'], content: 200 });
});

test('a client’s export has neither the file of a result nor what it says before the search is reviewed', async () => {
  const built = await buildResult();
  const exported = async () => {
    const { searches, documents, tasks } = await readClientRecords(server.database, built.clientId);
    return {
      searches,
      documents: documents?.length,
      tasks: tasks?.length,
      files: (await findClientFiles(server.database, built.clientId)).length,
    };
  };
  expect(await exported()).toMatchObject({
    searches: [{ outcome: null, outcome_summary: null, result_document_id: null }],
    ...{ documents: 0, tasks: 0, files: 0 },
  });
  await rows("update case_searches set status = 'reviewed' where id = $1", [built.caseSearchId]);
  expect(await exported()).toMatchObject({
    searches: [{ outcome: 'attention', result_document_id: built.file.id }],
    ...{ documents: 2, tasks: 1, files: 2 },
  });
});
