import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyPdf } from '@keyturn/testkit';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const unsuitable = Buffer.from('%PDF-1.7 that no page can be added to');
const infected = Buffer.from('%PDF-1.7 that the scanner refuses');
/** Runs while a file is checked, between the start of an import and its first change. */
let duringImport: (() => Promise<unknown>) | undefined;
const desk = withDeskCase({
  findSigningFault: async (file) => {
    await duringImport?.();
    return file.equals(unsuitable) ? 'it is encrypted' : null;
  },
  findViewingFault: async () => {
    await duringImport?.();
    return null;
  },
  findMalware: async (file) => (file.equals(infected) ? 'Eicar-Test-Signature' : null),
});

const matterOf = async (browser: DeskMember) => (await desk.readCase(browser)).matters[0];
const upload = async (browser: DeskMember, content = anyPdf()): Promise<string> =>
  (await browser.call('POST', '/files', content)).data.file_id;
const documentFields = {
  file_name: 'contract.pdf',
  title: 'The contract',
  group: 'contract',
  signing: null,
  binds_on: null,
  supersedes: null,
};
async function share(browser: DeskMember, change: object) {
  const matter = await matterOf(browser);
  return browser.call('POST', `/matters/${matter?.id}/documents`, { ...documentFields, ...change });
}
const edit = (browser: DeskMember, { id, version }: { id: string; version: string }, changes: object) =>
  browser.call('PUT', `/documents/${id}`, { version, changes });
const tasksToSign = async (browser: DeskMember) =>
  (await desk.readCase(browser)).tasks
    .filter(({ kind }) => kind === 'sign_document')
    .map(({ status, title }) => ({ status, title }));

describe('the file of a document at the desk', () => {
  const open = async (browser: DeskMember) => {
    const [document] = (await desk.readCase(browser)).documents;
    return browser.call('GET', `/documents/${document?.id}/file`, undefined, { range: 'bytes=0-3' });
  };

  test('a file opened at the desk is complete, is audited each time, and does not count as read by a client', async () => {
    const browser = await desk.signIn('finance');
    const opened = await open(browser);
    expect(opened).toMatchObject({ status: 200, text: expect.stringMatching(/^%PDF/) });
    const [document] = (await desk.readCase(browser)).documents;
    expect(Number(opened.headers['content-length'])).toBe(document?.size);
    expect(opened.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="letter.pdf"',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; object-src 'self'/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    await open(browser);
    const entry = { actor_id: browser.id, address: '203.0.113.7', subject_id: 'D1' };
    expect(
      await desk.rows(
        "select actor_id, address, subject_id from audit_entries where action = 'document.opened'",
      ),
    ).toEqual([entry, entry]);
    expect((await desk.readCase(browser)).documents[0]?.reads).toEqual([]);
  });

  test('a member can open six files at the same time, and the next one once a file was sent', async () => {
    const [browser, colleague] = [await desk.signIn(), await desk.signIn()];
    const connection = await desk.testDatabase.pool.connect();
    await connection.query('begin');
    await connection.query('lock table documents in access exclusive mode');
    const openAny = (by: DeskMember) => by.call('GET', `/documents/${randomUUID()}/file`);
    const opening = Array.from({ length: 7 }, () => openAny(browser));
    expect(await Promise.race(opening)).toMatchObject({ status: 429, code: 'too_many_requests' });
    const others = openAny(colleague);
    await connection.query('rollback');
    connection.release();
    const statuses = (await Promise.all([...opening, others])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([404, 404, 404, 404, 404, 404, 404, 429]);
    expect((await openAny(browser)).status).toBe(404);
  });
});

describe('documents at the desk', () => {
  test('staff withdraw a document that was shared by mistake, see who has opened it, and cannot withdraw it as finance', async () => {
    const [handler, finance] = [await desk.signIn(), await desk.signIn('finance')];
    const [document] = (await desk.readCase(handler)).documents;
    const [client] = (await desk.readCase(handler)).clients;
    await desk.rows('insert into document_reads (document_id, client_id) values ($1, $2)', [
      document?.id,
      client?.id,
    ]);
    const path = `/documents/${document?.id}/withdraw`;
    expect((await finance.call('POST', path, { reason: 'mistake' })).status).toBe(403);
    expect((await handler.call('POST', path, { reason: 'another' })).status).toBe(422);
    const answer = await handler.call('POST', path, { reason: 'mistake' });
    expect(answer).toMatchObject({
      status: 200,
      data: { document: { withdrawn_at: expect.any(String), seen_by: [{ client: { id: client?.id } }] } },
    });
    expect((await handler.call('GET', `/documents/${document?.id}/file`)).status).toBe(200);
    expect(
      await desk.rows("select actor_id, subject_id from audit_entries where action = 'document.withdrawn'"),
    ).toEqual([{ actor_id: handler.id, subject_id: document?.reference }]);
  });

  test('a document to sign is shared once, with its task, and supersedes another', async () => {
    const browser = await desk.signIn();
    const former = (await desk.readCase(browser)).documents[0];
    const sent = {
      file_id: await upload(browser),
      signing: 'simple',
      binds_on: 'exchange',
      supersedes: former?.id,
    };
    const shared = await share(browser, sent);
    expect(shared.data.document).toMatchObject({
      reference: `desk-${sent.file_id}`,
      media_type: 'application/pdf',
      uploaded_by: 'Rhian Morgan',
      shared_at: '2026-11-23T09:00:00.000Z',
      signing: 'simple',
      binds_on: 'exchange',
      supersedes: former?.id,
      is_from_desk: true,
    });
    expect((await share(browser, sent)).data.document.id).toBe(shared.data.document.id);
    expect(await share(browser, { ...sent, title: 'Another' })).toMatchObject({ status: 422 });
    expect(await tasksToSign(browser)).toEqual([{ status: 'open', title: 'Sign: The contract' }]);
    expect(await desk.rows('select from feed_files')).toEqual([]);
    expect(
      await desk.rows(
        "select action from audit_entries where actor_kind = 'staff' and subject_kind = 'document'",
      ),
    ).toEqual([{ action: 'desk.file_uploaded' }, { action: 'desk.record_added' }]);
  });

  test('an uploaded file with malware is refused at the desk, and is audited with the member who sent it', async () => {
    const browser = await desk.signIn();
    expect(await browser.call('POST', '/files', infected)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^This file contains malware .* and was not stored/),
      body: { errors: { file: [expect.stringMatching(/^contains malware \(Eicar-Test-Signature\)/)] } },
    });
    expect(await desk.rows('select from feed_files')).toEqual([]);
    expect(
      await desk.rows(
        "select actor_id, address, after->>'malware' as malware from audit_entries where action = 'document.malware_found'",
      ),
    ).toEqual([{ actor_id: browser.id, address: '203.0.113.7', malware: 'Eicar-Test-Signature' }]);
  });

  test('staff request and withdraw signatures, and record that a signed paper has arrived', async () => {
    const browser = await desk.signIn();
    const shared = (await share(browser, { file_id: await upload(browser) })).data.document;
    const asked = await edit(browser, shared, { signing: 'deed', binds_on: 'completion' });
    expect(asked.data.undo.changes).toEqual({ signing: null, binds_on: null });
    expect(await tasksToSign(browser)).toMatchObject([{ status: 'open' }]);
    const received = await edit(browser, asked.data.document, { received_on: '2026-11-23' });
    expect(received.data.document).toMatchObject({ received_on: '2026-11-23' });
    expect(await tasksToSign(browser)).toMatchObject([{ status: 'done' }]);
    const notReceived = await edit(browser, received.data.document, { received_on: null });
    expect(await tasksToSign(browser)).toMatchObject([{ status: 'open' }]);
    const again = await edit(browser, notReceived.data.document, { received_on: '2026-11-23' });
    const withdrawn = await edit(browser, again.data.document, { signing: null });
    expect(withdrawn.data.document).toMatchObject({ signing: null, binds_on: null, received_on: null });
    expect(await tasksToSign(browser)).toMatchObject([{ status: 'done' }]);
    await edit(browser, withdrawn.data.document, { signing: 'wet_ink' });
    expect(await tasksToSign(browser)).toMatchObject([{ status: 'open' }]);
  });

  test('staff ask clients to confirm their identity when they sign, which can only be switched on after a signature', async () => {
    const browser = await desk.signIn();
    const sent = { file_id: await upload(browser), signing: 'simple', confirm_identity: true };
    const shared = (await share(browser, sent)).data.document;
    expect(shared.confirm_identity).toBe(true);
    const off = await edit(browser, shared, { confirm_identity: false });
    expect(off.data).toMatchObject({
      document: { confirm_identity: false },
      undo: { changes: { confirm_identity: true } },
    });
    await desk.rows(
      `insert into document_signatures
         (id, document_id, position, client_id, name, method, consent, signed_at, address, sha256, mac)
       select gen_random_uuid(), d.id, 1, c.client_id, 'N', 'typed', 'yes', now(), '::1', d.sha256,
         decode(repeat('00', 32), 'hex')
       from documents d join matters m on m.id = d.matter_id join case_clients c on c.case_id = m.case_id
       where d.id = $1 limit 1`,
      [shared.id],
    );
    const on = await edit(browser, off.data.document, { confirm_identity: true });
    expect(on.data).toMatchObject({
      document: { confirm_identity: true },
      undo: { changes: { confirm_identity: false } },
    });
    expect(await edit(browser, on.data.document, { confirm_identity: false })).toMatchObject({
      status: 422,
      body: {
        errors: { confirm_identity: [expect.stringContaining('because the document is signed')] },
      },
    });
    expect(
      await desk.rows(
        "select before, after from audit_entries where action = 'desk.record_changed' order by occurred_at, id",
      ),
    ).toEqual(
      expect.arrayContaining([
        { before: { confirm_identity: true }, after: { confirm_identity: false } },
        { before: { confirm_identity: false }, after: { confirm_identity: true } },
      ]),
    );
  });

  test('clients confirm their identity to sign a contract unless staff switch that off, which later edits keep', async () => {
    const browser = await desk.signIn();
    const shareAs = async (more: object) => {
      const { document } = (await share(browser, { file_id: await upload(browser), ...more })).data;
      return document;
    };
    const onExchange = { group: 'to-sign', signing: 'simple', binds_on: 'exchange' };
    expect(await shareAs(onExchange)).toMatchObject({ confirm_identity: true });
    expect(await shareAs({ ...onExchange, binds_on: 'completion' })).toMatchObject({
      confirm_identity: false,
    });
    expect(await shareAs({ ...onExchange, confirm_identity: false })).toMatchObject({
      confirm_identity: false,
    });
    const contract = await shareAs({ group: 'contract' });
    expect(contract.confirm_identity).toBe(false);
    const asked = (await edit(browser, contract, { signing: 'simple' })).data;
    expect(asked).toMatchObject({
      document: { confirm_identity: true },
      undo: { changes: { signing: null } },
    });
    const off = (await edit(browser, asked.document, { confirm_identity: false })).data;
    const renamed = (await edit(browser, off.document, { title: 'The contract' })).data;
    expect(renamed.document).toMatchObject({ title: 'The contract', confirm_identity: false });
    // A document to sign that becomes a contract asks for it as well.
    const letter = await shareAs({ group: 'to-sign', signing: 'simple' });
    expect((await edit(browser, letter, { group: 'contract' })).data.document).toMatchObject({
      confirm_identity: true,
    });
  });

  test('a file that cannot be signed in Keyturn is shared only without signatures', async () => {
    const browser = await desk.signIn();
    const file_id = await upload(browser, unsuitable);
    expect((await share(browser, { file_id, signing: 'simple' })).body.errors).toEqual({
      file_id: ['cannot be signed in Keyturn: it is encrypted'],
    });
    const { document } = (await share(browser, { file_id })).data;
    expect((await edit(browser, document, { signing: 'simple' })).status).toBe(422);
  });

  describe('a document of the feed whose signatures the desk has asked for', () => {
    const [letter] = deskFeed.documents;
    /** Sends the document with another title and file, as a system does that knows of no signatures. */
    const send = (content: Buffer, change: object = {}) => {
      const folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'new.pdf'), content);
      const document = { ...letter, title: 'The final contract', file: 'new.pdf', ...change };
      return desk.importing({ ...deskFeed, documents: [document] }, folder);
    };
    const read = async (browser: DeskMember) =>
      (await desk.readCase(browser)).documents.find(({ reference }) => reference === letter.reference);
    const ask = async (browser: DeskMember, signing: string | null) =>
      edit(browser, (await read(browser)) as NonNullable<Awaited<ReturnType<typeof read>>>, {
        signing,
        ...(signing ? { binds_on: 'exchange' } : {}),
      });
    afterEach(() => {
      duringImport = undefined;
    });

    test('is still to be signed after the feed has sent a new file without saying so', async () => {
      const browser = await desk.signIn();
      await ask(browser, 'simple');
      const former = await read(browser);
      expect((await send(Buffer.from('%PDF-1.7 final'))).rejected).toEqual([]);
      const found = await read(browser);
      expect(found).toMatchObject({ title: 'The final contract', signing: 'simple', binds_on: 'exchange' });
      expect(found?.size).not.toBe(former?.size);
      expect(await tasksToSign(browser)).toMatchObject([{ status: 'open' }]);
      expect(await send(Buffer.from('%PDF-1.7 final'))).toMatchObject({ updated: 0, rejected: [] });
    });

    test('keeps its file if the feed sends one that cannot be signed', async () => {
      const browser = await desk.signIn();
      await ask(browser, 'simple');
      const former = await read(browser);
      expect((await send(unsuitable)).rejected).toMatchObject([
        { place: '/documents/0/file', reason: 'cannot be signed: it is encrypted' },
      ]);
      expect(await read(browser)).toEqual(former);
    });

    test('is not to be signed once the desk or the feed no longer asks for signatures', async () => {
      const browser = await desk.signIn();
      await ask(browser, 'simple');
      await ask(browser, null);
      expect((await send(unsuitable)).rejected).toEqual([]);
      expect(await read(browser)).toMatchObject({ signing: null });
      await send(anyPdf(), { signing: 'deed' });
      expect(await read(browser)).toMatchObject({ signing: 'deed' });
    });

    test('keeps its file if the desk asks while a new file is being imported', async () => {
      const browser = await desk.signIn();
      duringImport = async () => {
        duringImport = undefined;
        await ask(browser, 'simple');
      };
      expect((await send(unsuitable)).rejected).toMatchObject([
        { reason: expect.stringContaining('was changed by someone else') },
      ]);
      expect(await read(browser)).toMatchObject({ signing: 'simple', title: letter.title });
    });

    test('is not to be signed if the desk withdraws its request while a new file is being imported', async () => {
      const browser = await desk.signIn();
      await ask(browser, 'simple');
      duringImport = async () => {
        duringImport = undefined;
        await ask(browser, null);
      };
      const former = await read(browser);
      expect((await send(Buffer.from('%PDF-1.7 final'))).rejected).toEqual([]);
      const found = await read(browser);
      expect(found).toMatchObject({ title: 'The final contract', signing: null, binds_on: null });
      expect(found?.size).not.toBe(former?.size);
      expect(await tasksToSign(browser)).not.toMatchObject([{ status: 'open' }]);
    });
  });

  test('an upload that is not a document, is empty or exceeds 25 MB is rejected', async () => {
    const browser = await desk.signIn();
    for (const [content, status] of [
      [Buffer.from('only text'), 422],
      [Buffer.alloc(0), 422],
      [Buffer.alloc(25 * 1024 * 1024 + 1), 413],
    ] as const)
      expect((await browser.call('POST', '/files', content)).status).toBe(status);
    expect(await desk.rows('select from feed_files')).toEqual([]);
  });

  test('a document needs an uploaded file and a matter that exist', async () => {
    const browser = await desk.signIn();
    expect((await share(browser, { file_id: randomUUID() })).status).toBe(422);
    const path = `/matters/${randomUUID()}/documents`;
    const body = { ...documentFields, file_id: await upload(browser) };
    expect((await browser.call('POST', path, body)).status).toBe(404);
  });
});

describe('tasks at the desk', () => {
  const fields = {
    kind: 'contact_us',
    title: 'Call us about the deposit',
    explanation: 'We need to agree how it reaches us.',
    due_on: '2026-11-30',
    amount: null,
    matter_id: null,
    case_search_id: null,
    document_id: null,
  };

  test('a task is added once, completed and reopened, and no webhook says that a client did it', async () => {
    const browser = await desk.signIn();
    await desk.rows(
      `insert into webhook_endpoints (id, url, description, event_types, state, created_at, updated_at)
       values (gen_random_uuid(), 'https://firm.test', 'A test', '{task.completed}', 'enabled', now(), now())`,
    );
    const found = await desk.readCase(browser);
    const add = () =>
      browser.call('POST', `/cases/${found.id}/tasks`, {
        ...fields,
        id: 'b2f0a7c4-6a9e-4f55-8d0b-3f6f4f1f2a11',
      });
    const { task } = (await add()).data;
    expect((await add()).data.task).toEqual(task);
    const change = async (version: string, status: string) =>
      browser.call('PUT', `/tasks/${task.id}`, { version, changes: { status } });
    const done = await change(task.version, 'done');
    expect(done.data).toMatchObject({ task: { status: 'done' }, undo: { changes: { status: 'open' } } });
    expect((await browser.call('PUT', `/tasks/${task.id}`, done.data.undo)).data.task.status).toBe('open');
    expect(await desk.rows("select from webhook_events where type = 'task.completed'")).toEqual([]);
  });

  test('a task to pay for a search is not done by hand while the search is due', async () => {
    const browser = await desk.signIn();
    const { tasks, searches } = await desk.readCase(browser);
    const task = tasks.find(({ kind }) => kind === 'pay_search');
    const complete = () =>
      browser.call('PUT', `/tasks/${task?.id}`, { version: task?.version, changes: { status: 'done' } });
    const refused = await complete();
    expect(refused).toMatchObject({ status: 409, body: { code: 'edit_not_possible' } });
    expect(refused.body.message).toMatch(/^The search is still due, .* cancel it under Searches\.$/);
    await desk.rows('update case_searches set status = $1 where id = $2', ['cancelled', searches[0]?.id]);
    expect((await complete()).data.task.status).toBe('done');
  });

  test('a task to sign is not done by hand while a signature or the signed paper is missing', async () => {
    const browser = await desk.signIn();
    const sent = { file_id: await upload(browser), signing: 'simple' };
    const document = (await share(browser, sent)).data.document;
    const complete = async () => {
      const task = (await desk.readCase(browser)).tasks.find(
        ({ document_id }) => document_id === document.id,
      );
      return browser.call('PUT', `/tasks/${task?.id}`, {
        version: task?.version,
        changes: { status: 'done' },
      });
    };
    expect((await complete()).body.message).toMatch(/^Not everyone has signed, .* choose “No signature”\.$/);
    const onPaper = await edit(browser, document, { signing: 'wet_ink' });
    expect((await complete()).body.message).toMatch(/^The signed paper hasn’t been received, /);
    // A received paper completes the task already.
    await edit(browser, onPaper.data.document, { received_on: '2026-11-23' });
    expect((await complete()).status).toBe(200);
  });

  test('the task of a withdrawn document is not opened again, and its document gets no new open task', async () => {
    const browser = await desk.signIn();
    const sent = { file_id: await upload(browser), signing: 'simple' };
    const shared = (await share(browser, sent)).data.document;
    expect((await browser.call('POST', `/documents/${shared.id}/withdraw`)).status).toBe(200);
    const found = await desk.readCase(browser);
    const task = found.tasks.find(({ document_id }) => document_id === shared.id);
    expect(task?.status).toBe('done');
    const reopened = await browser.call('PUT', `/tasks/${task?.id}`, {
      version: task?.version,
      changes: { status: 'open' },
    });
    expect(reopened).toMatchObject({ status: 409, body: { code: 'edit_not_possible' } });
    expect(reopened.body.message).toMatch(/^Its document was withdrawn/);
    const added = await browser.call('POST', `/cases/${found.id}/tasks`, {
      ...fields,
      id: randomUUID(),
      matter_id: shared.matter_id,
      document_id: shared.id,
    });
    expect(added.body.errors).toEqual({
      document: [`refers to "${shared.reference}", which was withdrawn, so the task cannot be open`],
    });
    expect(await tasksToSign(browser)).toMatchObject([{ status: 'done' }]);
  });

  test('a task names only records of its case, and an amount only to pay', async () => {
    const browser = await desk.signIn();
    const found = await desk.readCase(browser);
    const add = (change: object) =>
      browser.call('POST', `/cases/${found.id}/tasks`, { ...fields, id: randomUUID(), ...change });
    expect((await add({ amount: 100 })).body.errors).toHaveProperty('amount');
    expect((await add({ kind: 'pay_search' })).body.errors).toEqual({ search: ['is required'] });
    expect((await add({ document_id: randomUUID() })).status).toBe(404);
    expect((await add({ explanation: 'Pay GB33BUKB20201555555555' })).status).toBe(422);
  });
});
