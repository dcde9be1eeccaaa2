import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WithdrawalReason } from '@keyturn/contract/staff';
import { buildCase, buildSignature, buildStoredDocument, buildTask, withTestServer } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { runWithdraw } from './document-command.ts';

const server = withTestServer();
const rows = async (text: string, values: unknown[] = []) => (await server.pool.query(text, values)).rows;
const call = async (clientId: string, method: 'GET' | 'POST', path: string, payload?: object) =>
  server.app.inject({
    method,
    url: `/api${path}`,
    headers: await server.signInAs(clientId),
    ...(payload ? { payload } : {}),
  });
async function withdraw(document: string, reason: WithdrawalReason = 'mistake') {
  const lines: string[] = [];
  const code = await runWithdraw(
    { database: server.database, clock: systemClock },
    { document, reason },
    (line) => lines.push(line),
  );
  return { code, lines };
}
function mails(): string[] {
  const outbox = join(server.dataDirectory, 'outbox');
  try {
    return readdirSync(outbox).map((file) =>
      readFileSync(join(outbox, file), 'utf8').replaceAll('=\r\n', ''),
    );
  } catch {
    return [];
  }
}

test('clients can no longer open a withdrawn document, and only those who have opened it are asked to delete it', async () => {
  const built = await buildCase(server.database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  const { matterId } = built;
  const former = await buildStoredDocument(server.database, server.files, { matterId, title: 'Report' });
  const mistaken = await buildStoredDocument(server.database, server.files, {
    matterId,
    title: 'Letter to someone else',
    supersedesId: former.id,
    signing: 'simple',
  });
  await buildTask(server.database, { caseId: built.id, kind: 'sign_document', documentId: mistaken.id });
  const [emailOfAmelia, emailOfTom] = [amelia, tom].map(
    async (id) => (await rows('select email from clients where id = $1', [id]))[0].email,
  );
  // The file counts as seen, also without the call that marks a document as read.
  expect((await call(amelia, 'GET', `/documents/${mistaken.id}/content`)).statusCode).toBe(200);
  const listed = async () => (await call(tom, 'GET', '/documents')).json().data;
  expect(await listed()).toHaveLength(2);

  await rows(
    `insert into webhook_endpoints (id, url, description, event_types, state, created_at, updated_at)
     values (gen_random_uuid(), 'https://firm.test', 'A test', '{task.completed}', 'enabled', now(), now())`,
  );
  const withdrawn = await withdraw(mistaken.reference);
  expect(withdrawn).toMatchObject({
    code: 0,
    lines: [
      '“Letter to someone else” is withdrawn: clients can no longer open it.',
      expect.stringMatching(/^Amelia .*first opened it at 20/),
    ],
  });
  for (const client of [amelia, tom]) {
    for (const path of ['', '/content', '/content?version=original'])
      expect((await call(client, 'GET', `/documents/${mistaken.id}${path}`)).statusCode).toBe(404);
    expect((await call(client, 'POST', `/documents/${mistaken.id}/read`)).statusCode).toBe(404);
  }
  expect(await listed()).toMatchObject([{ id: former.id, superseded_by: null }]);
  expect(await rows('select status from tasks where document_id = $1', [mistaken.id])).toEqual([
    { status: 'done' },
  ]);
  expect(await rows('select type from webhook_events')).toEqual([]);
  expect(await withdraw(mistaken.id)).toEqual(withdrawn);

  const aboutIt = () => mails().filter((mail) => mail.includes('shared by mistake'));
  await expect.poll(aboutIt).toHaveLength(1);
  const [mail = ''] = aboutIt();
  expect(mail).toContain(await emailOfAmelia);
  expect(mail).toContain('Please delete any copy');
  expect(mail).not.toContain('Letter to someone else');
  expect(mails().join()).not.toContain(await emailOfTom);
  expect(
    await rows('select action, actor_kind, after from audit_entries where subject_id = $1', [
      mistaken.reference,
    ]),
  ).toEqual([
    { action: 'document.withdrawn', actor_kind: 'command_line', after: { reason: 'mistake', seen_by: 1 } },
  ]);
});

test('the email to clients who have opened a file with malware says that it may contain a virus, and nothing about a mistake', async () => {
  const { matterId, clientId } = await buildCase(server.database);
  const document = await buildStoredDocument(server.database, server.files, { matterId });
  const { email } = (await rows('select email from clients where id = $1', [clientId]))[0];
  expect((await call(clientId, 'GET', `/documents/${document.id}/content`)).statusCode).toBe(200);
  expect(await withdraw(document.id, 'malware')).toMatchObject({ code: 0 });
  const received = () => mails().filter((mail) => mail.includes(email));
  await expect.poll(received).toHaveLength(1);
  const [mail = ''] = received();
  expect(mail).toContain('may contain a virus');
  expect(mail).toContain('without opening it');
  expect(mail).not.toContain('mistake');
});

test('clients who have opened a document are warned of malware that is found after it was withdrawn by mistake', async () => {
  const { matterId, clientId } = await buildCase(server.database);
  const document = await buildStoredDocument(server.database, server.files, { matterId });
  const { email } = (await rows('select email from clients where id = $1', [clientId]))[0];
  expect((await call(clientId, 'GET', `/documents/${document.id}/content`)).statusCode).toBe(200);
  const subjects = () =>
    mails()
      .filter((mail) => mail.includes(email))
      .map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim())
      .sort();
  for (const reason of ['mistake', 'malware', 'malware', 'mistake'] as const)
    expect(await withdraw(document.id, reason)).toMatchObject({ code: 0 });
  await expect.poll(subjects).toHaveLength(2);
  expect(subjects().join()).toMatch(/shared by mistake.*virus|virus.*shared by mistake/);
  expect(
    await rows('select after from audit_entries where subject_id = $1 order by occurred_at', [
      document.reference,
    ]),
  ).toEqual(['mistake', 'malware'].map((reason) => ({ after: { reason, seen_by: 1 } })));
});

test('a signed or unknown document is not withdrawn', async () => {
  const { matterId, clientId } = await buildCase(server.database);
  const document = await buildStoredDocument(server.database, server.files, { matterId, signing: 'simple' });
  await buildSignature(server.database, { documentId: document.id, clientId });
  expect(await withdraw(document.id)).toEqual({
    code: 1,
    lines: ['A client has signed this document, so it cannot be withdrawn. Share a new version instead.'],
  });
  expect(await withdraw('D-none')).toMatchObject({
    code: 1,
    lines: ['No document has the id or reference D-none.'],
  });
  expect((await call(clientId, 'GET', `/documents/${document.id}/content`)).statusCode).not.toBe(404);
});

test('a file that is requested while its document is withdrawn is either recorded or not sent', async () => {
  const { matterId, clientId } = await buildCase(server.database);
  const document = await buildStoredDocument(server.database, server.files, { matterId });
  const connection = await server.pool.connect();
  await connection.query('begin');
  await connection.query('update documents set withdrawn_at = now() where id = $1', [document.id]);
  const requested = call(clientId, 'GET', `/documents/${document.id}/content`);
  await expect
    .poll(() =>
      rows(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%document_deliveries%'",
      ),
    )
    .toHaveLength(1);
  await connection.query('commit');
  connection.release();
  expect((await requested).statusCode).toBe(404);
  expect(await rows('select from document_deliveries where document_id = $1', [document.id])).toEqual([]);
});
