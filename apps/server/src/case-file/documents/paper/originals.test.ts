import { anyPdf } from '@keyturn/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConveyancingCase } from '../../../testing/read-conveyancing-case.ts';
import { type DeskMember, deskFeed, withDeskCase } from '../../../testing/serve-desk-case.ts';
import { readDocument } from '../read-documents.ts';

const desk = withDeskCase();
const [zoe] = deskFeed.clients;
const [document] = deskFeed.documents;
const [ofCase] = deskFeed.cases;
const deed = { ...document, reference: 'D9', group: 'to-sign', title: 'Transfer', signing: 'deed' };
const jointFeed = {
  ...deskFeed,
  clients: [zoe, { ...zoe, reference: 'C2', first_name: 'Tom', email: 'tom@example.test' }],
  cases: [{ ...ofCase, clients: ['C1', 'C2'] }],
  tasks: [
    {
      reference: 'T9',
      ...{ case: 'K1', matter: 'M1', document: 'D9', kind: 'sign_document', status: 'open' },
      ...{ title: 'Sign: Transfer', explanation: 'On paper.' },
    },
  ],
};
const withOriginals = (originals: object[], more: object = {}) => ({
  ...jointFeed,
  documents: [document, { ...deed, originals, ...more }],
});
beforeEach(async () => {
  expect((await desk.importing(withOriginals([]))).rejected).toEqual([]);
});

const stored = async () =>
  (await desk.rows("select received_on::text, originals from documents where reference = 'D9'"))[0];
const atDesk = async (browser: DeskMember) =>
  (await desk.readCase(browser)).documents.find(({ reference }) => reference === 'D9') ??
  expect.fail('no document');
const record = async (browser: DeskMember, originals: object[] | null) => {
  const { id, version } = await atDesk(browser);
  return browser.call('PUT', `/documents/${id}`, { version, changes: { originals } });
};
const taskAtDesk = async (browser: DeskMember) =>
  (await desk.readCase(browser)).tasks.find(({ reference }) => reference === 'T9')?.status;
/** What a client sees of the deed and of their task to sign it. */
async function seenBy(reference: string) {
  const [{ clientId, documentId, caseId }] = await desk.rows(
    `select c.id as "clientId", d.id as "documentId", m.case_id as "caseId"
     from clients c, documents d join matters m on m.id = d.matter_id where c.reference = $1 and d.reference = 'D9'`,
    [reference],
  );
  const { database } = desk.testDatabase;
  const { signature } = await readDocument(documentId).forClient(database, clientId);
  const shown = await readConveyancingCase(database, { caseId, clientId });
  return {
    ...{ required: signature?.required, own: signature?.original_received_on },
    others: signature?.others.map(({ original_received_on }) => original_received_on),
    received: signature?.received_on,
    task: shown?.tasks.find(({ kind }) => kind === 'sign_document')?.status,
  };
}
const ofZoe = { client: 'C1', received_on: '2026-11-20' };
const ofTom = { client: 'C2', received_on: '2026-11-23' };

describe('the signed originals of joint clients', () => {
  test('each joint client’s task is done once their original is here, and the paper is received on the day of the last one', async () => {
    const browser = await desk.signIn();
    const first = await record(browser, [ofZoe]);
    expect(first.data.document).toMatchObject({
      received_on: null,
      originals: [{ client_reference: 'C1', received_on: '2026-11-20' }],
    });
    const open = { received: null, others: [null] };
    expect(await seenBy('C1')).toEqual({ ...open, required: false, own: '2026-11-20', task: 'done' });
    expect(await seenBy('C2')).toEqual({
      ...{ required: true, own: null, others: ['2026-11-20'], received: null, task: 'open' },
    });
    expect(await taskAtDesk(browser)).toBe('open');
    const second = await record(browser, [ofZoe, ofTom]);
    expect(second.data.document).toMatchObject({ received_on: '2026-11-23' });
    expect(await seenBy('C2')).toMatchObject({ required: false, received: '2026-11-23', task: 'done' });
    expect(await taskAtDesk(browser)).toBe('done');
  });

  test('taking back an original opens the task of its client again, and an undo records it again', async () => {
    const browser = await desk.signIn();
    await record(browser, [ofZoe, ofTom]);
    const takenBack = await record(browser, [ofZoe]);
    expect(await stored()).toMatchObject({ received_on: null });
    expect(await seenBy('C1')).toMatchObject({ task: 'done', own: '2026-11-20' });
    expect(await seenBy('C2')).toMatchObject({ task: 'open', required: true });
    const { id } = await atDesk(browser);
    expect((await browser.call('PUT', `/documents/${id}`, takenBack.data.undo)).status).toBe(200);
    expect(await stored()).toMatchObject({ received_on: '2026-11-23' });
    expect(await seenBy('C2')).toMatchObject({ task: 'done' });
    await record(browser, null);
    expect(await stored()).toEqual({ received_on: null, originals: [] });
  });

  test('the original of a client who has left the case stays when the document is edited', async () => {
    const browser = await desk.signIn();
    await record(browser, [ofTom]);
    await desk.rows("delete from case_clients using clients where id = client_id and reference = 'C2'");
    const { id, version } = await atDesk(browser);
    const edited = await browser.call('PUT', `/documents/${id}`, { version, changes: { title: 'TR1' } });
    expect(edited.data.document).toMatchObject({
      title: 'TR1',
      originals: [{ client_reference: 'C2', received_on: '2026-11-23' }],
    });
  });

  test('a feed sends originals as the desk records them', async () => {
    expect((await desk.importing(withOriginals([ofTom, ofZoe]))).rejected).toEqual([]);
    expect(await stored()).toMatchObject({ received_on: '2026-11-23' });
    expect(await seenBy('C1')).toMatchObject({ own: '2026-11-20', others: ['2026-11-23'] });
  });

  test.each([
    [[{ client: 'C3', received_on: '2026-11-20' }], {}, '/documents/1/originals/0/client', 'not on the case'],
    [[ofZoe, ofZoe], {}, '/documents/1/originals/1/client', 'named twice'],
    [[ofZoe], { signing: 'simple' }, '/documents/1/originals', 'signing deed or wet_ink'],
    [[{ ...ofZoe, received_on: '2036-11-20' }], {}, '/documents/1/originals/0/received_on', 'in the future'],
  ])('a feed’s originals %j are rejected with %j', async (originals, more, place, reason) => {
    expect((await desk.importing(withOriginals(originals, more))).rejected).toMatchObject([
      { place, reason: expect.stringContaining(reason) },
    ]);
  });

  test('the desk records no original of the future, and none of a paper that is signed on the screen', async () => {
    const browser = await desk.signIn();
    expect((await record(browser, [{ ...ofZoe, received_on: '2026-11-24' }])).body.errors).toEqual({
      'changes.originals.0.received_on': ['is in the future'],
    });
    const { file_id } = (await browser.call('POST', '/files', anyPdf())).data;
    const [matter] = (await desk.readCase(browser)).matters;
    const plain = await browser.call('POST', `/matters/${matter?.id}/documents`, {
      ...{ file_id, file_name: 'a.pdf', title: 'A', group: 'contract' },
      ...{ signing: null, binds_on: null, supersedes: null },
    });
    const { id, version } = plain.data.document;
    const refused = await browser.call('PUT', `/documents/${id}`, {
      version,
      changes: { originals: [ofZoe] },
    });
    expect(refused).toMatchObject({ status: 422 });
  });
});
