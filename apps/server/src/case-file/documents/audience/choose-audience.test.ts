import { anyPdf, buildSignature } from '@keyturn/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../../testing/serve-desk-case.ts';

const desk = withDeskCase();
const [zoe] = deskFeed.clients;
const [document] = deskFeed.documents;
const [ofCase] = deskFeed.cases;
const feedOf = (documents: object[], clients = ['C1', 'C2']) => ({
  ...deskFeed,
  clients: [
    zoe,
    { ...zoe, reference: 'C2', first_name: 'Tom', email: 'tom@example.test' },
    { ...zoe, reference: 'C3', first_name: 'Ann', email: 'ann@example.test' },
  ],
  cases: [{ ...ofCase, clients }],
  tasks: [],
  documents,
});
const withDocument = (change: object = {}, clients?: string[]) =>
  feedOf([{ ...document, ...change }], clients);
beforeEach(async () => {
  expect((await desk.importing(withDocument())).rejected).toEqual([]);
});

const stored = async (reference = 'D1') =>
  (
    await desk.rows(
      'select c.reference from documents d left join clients c on c.id = d.for_client_id where d.reference = $1',
      [reference],
    )
  )[0].reference;
const atDesk = async (browser: DeskMember) =>
  (await desk.readCase(browser)).documents.find(({ reference }) => reference === 'D1') ?? expect.fail('none');
const edit = async (browser: DeskMember, changes: object) => {
  const { id, version } = await atDesk(browser);
  return browser.call('PUT', `/documents/${id}`, { version, changes });
};

describe('the audience of a document', () => {
  test('the desk shares a document with one client, and the same request again shares nothing else', async () => {
    const browser = await desk.signIn();
    const { file_id } = (await browser.call('POST', '/files', anyPdf())).data;
    const id = (await desk.readCase(browser)).matters[0]?.id;
    const share = (for_client: string | null) =>
      browser.call('POST', `/matters/${id}/documents`, {
        ...{ file_id, file_name: 'gift.pdf', title: 'A gift', group: 'identity-funds', for_client },
        ...{ signing: null, binds_on: null, supersedes: null },
      });
    expect((await share('C9')).body.errors).toEqual({
      for_client: [expect.stringContaining('not on the case')],
    });
    const shared = await share('C2');
    expect(shared.data.document.for_client).toEqual({
      ...{ id: expect.any(String), reference: 'C2', name: `Tom ${zoe?.last_name}` },
    });
    expect(await share('C2')).toMatchObject({ status: 200 });
    expect(await share(null)).toMatchObject({ status: 422 });
    expect(await stored(`desk-${file_id}`)).toBe('C2');
  });

  test('an edit at the desk hides a document from the others, is audited, and can be undone', async () => {
    const browser = await desk.signIn();
    const edited = await edit(browser, { for_client: 'C1' });
    expect(edited.data.document.for_client).toMatchObject({ reference: 'C1' });
    const [{ before, after }] = await desk.rows(
      "select before, after from audit_entries where action = 'desk.record_changed' order by id desc limit 1",
    );
    expect([before.for_client ?? null, after.for_client]).toEqual([null, 'C1']);
    expect(edited.data.undo.changes).toEqual({ for_client: null });
    const undone = await browser.call('PUT', `/documents/${edited.data.document.id}`, edited.data.undo);
    expect(undone.data.document.for_client).toBeNull();
  });

  test('finance cannot choose who sees a document', async () => {
    expect(await edit(await desk.signIn('finance'), { for_client: 'C1' })).toMatchObject({ status: 403 });
  });

  test('a document for one client cannot be signed, because everyone on the case signs it', async () => {
    const browser = await desk.signIn();
    const reason = expect.stringContaining('everyone on the case signs');
    await edit(browser, { for_client: 'C1' });
    expect((await edit(browser, { signing: 'deed' })).body.errors).toEqual({
      for_client: [reason],
    });
    const { rejected } = await desk.importing(withDocument({ for_client: 'C1', signing: 'wet_ink' }));
    expect(rejected).toMatchObject([{ place: expect.stringContaining('/for_client'), reason }]);
  });

  test('the audience of a signed document cannot change, because it proves what a client agreed to', async () => {
    const browser = await desk.signIn();
    const [{ documentId, clientId }] = await desk.rows(
      `select d.id as "documentId", c.id as "clientId" from documents d, clients c
       where d.reference = 'D1' and c.reference = 'C1'`,
    );
    await buildSignature(desk.testDatabase.database, { documentId, clientId });
    expect((await edit(browser, { for_client: 'C1' })).body.errors).toEqual({
      for_client: ['cannot change because the document is signed'],
    });
  });

  test('a client who has left the case stays the audience, and another one who is not on it is refused', async () => {
    const browser = await desk.signIn();
    await edit(browser, { for_client: 'C2' });
    expect((await desk.importing(withDocument({}, ['C1']))).rejected).toEqual([]);
    expect((await edit(browser, { title: 'Renamed' })).data.document).toMatchObject({
      ...{ title: 'Renamed', for_client: { reference: 'C2' } },
    });
    expect((await edit(browser, { for_client: 'C3' })).body.errors).toEqual({
      for_client: ['refers to "C3", who is not on the case'],
    });
  });

  test('a feed that does not send the audience keeps it, also for a new version, and can change it', async () => {
    await edit(await desk.signIn(), { for_client: 'C1' });
    const versions = feedOf([
      { ...document, title: 'Changed' },
      { ...document, reference: 'D2', supersedes: 'D1' },
      { ...document, reference: 'D3', supersedes: 'D2' },
    ]);
    expect((await desk.importing(versions)).rejected).toEqual([]);
    expect([await stored('D1'), await stored('D2'), await stored('D3')]).toEqual(['C1', 'C1', 'C1']);
    await desk.importing(withDocument({ for_client: 'C2' }));
    expect(await stored()).toBe('C2');
  });
});
