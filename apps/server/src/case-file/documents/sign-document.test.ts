import { buffer } from 'node:stream/consumers';
import { PDFDocument } from '@cantoo/pdf-lib';
import { type SignatureBody, signatureConsent } from '@keyturn/contract';
import {
  anyPdf,
  buildCase,
  buildFirm,
  buildSession,
  buildStoredDocument,
  buildTask,
  createTestClock,
  createTestDatabase,
  createTestFiles,
  type TestDatabase,
  type TestFiles,
} from '@keyturn/testkit';
import { afterOtherBytes, markedPdfs } from '@keyturn/testkit/marked-pdfs.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSignaturePrinter } from '../../adapters/pdf/create-signature-printer.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import {
  documentSignatures,
  documents,
  historyEntries,
  type sessions,
  tasks,
} from '../../schema/tables/tables.ts';
import { documentHistory } from '../history/record-signature.ts';
import { type SignaturePageContent, type SignaturePrinter, UnprintableDocument } from './ports.ts';
import { readContent as openContent } from './read-content.ts';
import { readDocument } from './read-documents.ts';
import { type DocumentDependencies, signDocument } from './sign-document.ts';
import { signatureKey } from './signature-record.ts';
import { createSignedCopies } from './signed-copies.ts';

let stored: TestDatabase;
let files: TestFiles & { drop(): void };
const clock = createTestClock('2026-11-20T10:00:00.123Z');
/** Reset for each test: printed pages, alerts, and whether the printer works. */
let printed: SignaturePageContent[];
let alerts: { message: string; details: Record<string, unknown> }[];
let printerFails: Error | null;
let checkFails: Error | null;
let dependencies: DocumentDependencies;
/** Number of copies requested from the printer. */
let attempts: number;

beforeAll(async () => {
  stored = await createTestDatabase();
  files = createTestFiles();
  await buildFirm(stored.database);
});
afterAll(async () => {
  await stored.drop();
  files.drop();
});
beforeEach(() => {
  printed = [];
  alerts = [];
  printerFails = null;
  checkFails = null;
  attempts = 0;
  clock.set('2026-11-20T10:00:00.123Z');
  dependencies = open({
    append: async (pdf, page) => {
      attempts += 1;
      if (printerFails) throw printerFails;
      printed.push(page);
      const document = await PDFDocument.load(pdf);
      document.addPage();
      return Buffer.from(await document.save());
    },
    check: async () => {
      if (checkFails) throw checkFails;
    },
  });
});

function open(printer: SignaturePrinter): DocumentDependencies {
  const making = {
    database: stored.database,
    files,
    printer,
    signingKey: signatureKey('secret'),
    clock,
    alertOperator: (message: string, details: Record<string, unknown>) => alerts.push({ message, details }),
  };
  return { ...making, laterClock: clock, history: documentHistory, copies: createSignedCopies(making) };
}

/** A contract for two joint clients to sign, with its task. */
async function toSign(
  row: Partial<Parameters<typeof buildStoredDocument>[2]> = {},
  signer = { firstName: 'Amelia', lastName: 'Okafor' },
) {
  const built = await buildCase(stored.database, {
    clients: [signer, { firstName: 'Tom', lastName: 'Okafor' }],
  });
  const document = await buildStoredDocument(stored.database, files, {
    matterId: built.matterId,
    signing: 'simple' as const,
    ...row,
  });
  const task = await buildTask(stored.database, {
    caseId: built.id,
    kind: 'sign_document',
    documentId: document.id,
  });
  const [amelia, tom] = built.clientIds as [string, string];
  return { ...built, document, taskId: task.id, amelia, tom };
}

const sign = async (
  document: { id: string; sha256: string },
  clientId: string,
  body: Partial<SignatureBody> = {},
  session: Partial<typeof sessions.$inferInsert> = {},
) =>
  signDocument(dependencies, {
    clientId,
    sessionHash: (
      await buildSession(stored.database, {
        clientId,
        expiresAt: new Date(clock().getTime() + 3_600_000),
        ...session,
      })
    ).tokenHash,
    documentId: document.id,
    body: { name: 'Amelia Okafor', consent: signatureConsent('exchange'), sha256: document.sha256, ...body },
    address: '203.0.113.9',
  });

/** Reads the whole content a client would get. */
async function readContent(...given: Parameters<typeof openContent>) {
  const { content, ...rest } = await openContent(...given);
  await content.prepareToSend();
  return { ...rest, content: await buffer(content.open({ start: 0, end: content.size - 1 })) };
}

/** Returns the error code, or "signed" if there is none. */
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'signed',
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );
const recordsOf = (documentId: string) =>
  stored.database
    .select()
    .from(documentSignatures)
    .where(eq(documentSignatures.documentId, documentId))
    .orderBy(documentSignatures.position);
const taskStatus = async (id: string) =>
  (await stored.database.select().from(tasks).where(eq(tasks.id, id)))[0]?.status;

describe('signDocument', () => {
  test('records the signature with its evidence, in the history and on a signature page', async () => {
    const { document, amelia, id, reference } = await toSign({ title: 'Contract' });
    const drawing = { width: 200, height: 80, strokes: [[0, 0, 200, 80, 10, 5]] };
    const answer = await sign(document, amelia, { drawing });
    expect(answer.signature).toMatchObject({
      required: false,
      signed_at: '2026-11-20T10:00:00.123Z',
      signed_by: 'Amelia Okafor',
      others: [{ name: 'Tom Okafor', signed_at: null }],
    });
    const [record] = await recordsOf(document.id);
    expect(record).toMatchObject({
      position: 1,
      clientId: amelia,
      name: 'Amelia Okafor',
      method: 'drawn',
      drawing,
      consent: signatureConsent('exchange'),
      signedAt: clock(),
      address: '203.0.113.9',
      sha256: document.sha256,
    });
    const history = await stored.database.select().from(historyEntries).where(eq(historyEntries.caseId, id));
    expect(history).toMatchObject([
      {
        category: 'document',
        actor: 'Amelia Okafor',
        summary: 'Amelia Okafor signed “Contract”',
        link: `/documents/${document.id}`,
      },
    ]);
    expect(printed).toMatchObject([
      {
        documentTitle: 'Contract',
        caseReference: reference,
        sha256: document.sha256,
        signatures: [
          {
            recordId: record?.id,
            clientName: 'Amelia Okafor',
            name: 'Amelia Okafor',
            drawing,
            address: '203.0.113.9',
          },
        ],
      },
    ]);
    expect(alerts).toEqual([]);
  });

  const minutesAgo = (minutes: number) => new Date(clock().getTime() - minutes * 60_000);
  const passkeyUsed = (minutes: number) =>
    ({ steppedUpAt: minutesAgo(minutes), steppedUpWith: 'passkey' }) as const;

  test('records how the client had signed in, and no confirmation of identity if the firm asks for none', async () => {
    const { document, amelia } = await toSign();
    const answer = await sign(document, amelia, {}, { signedInWith: 'password_and_code', ...passkeyUsed(1) });
    expect(answer.signature).toMatchObject({ needs_confirmation: false });
    expect(await recordsOf(document.id)).toMatchObject([
      { signedInWith: 'password_and_code', confirmedWith: null, confirmedAt: null },
    ]);
  });

  test('records and prints the confirmation of identity that the firm asks for', async () => {
    const { document, amelia, tom } = await toSign({ confirmIdentity: true });
    const before = await readDocument(document.id).forClient(stored.database, amelia);
    expect(before.signature).toMatchObject({ required: true, needs_confirmation: true });
    const answer = await sign(document, amelia, {}, { signedInWith: 'passkey', ...passkeyUsed(4) });
    expect(answer.signature).toMatchObject({ required: false, needs_confirmation: false });
    expect(await recordsOf(document.id)).toMatchObject([
      { signedInWith: 'passkey', confirmedWith: 'passkey', confirmedAt: minutesAgo(4) },
    ]);
    expect(printed[0]?.signatures).toMatchObject([
      { signedInWith: 'passkey', confirmation: { method: 'passkey', at: minutesAgo(4) } },
    ]);
    const toms = await readDocument(document.id).forClient(stored.database, tom);
    expect(toms.signature).toMatchObject({ needs_confirmation: true });
  });

  test.each([
    ['has only signed in, a moment ago', () => ({ confirmedAt: clock(), createdAt: clock() })],
    ['confirmed their identity five minutes ago', () => passkeyUsed(5)],
  ])(
    'rejects the signature of a client who %s, if the firm asks for a confirmation',
    async (_how, session) => {
      const { document, amelia, taskId } = await toSign({ confirmIdentity: true });
      expect(await outcomeOf(sign(document, amelia, {}, session()))).toBe('identity_not_confirmed');
      expect(await recordsOf(document.id)).toEqual([]);
      expect(await taskStatus(taskId)).toBe('open');
    },
  );

  test('rejects the signature of a client if the firm starts to ask for a confirmation while it is made', async () => {
    const { document, amelia } = await toSign();
    const checked = open({
      append: async (pdf) => pdf,
      check: async () => {
        await stored.database
          .update(documents)
          .set({ confirmIdentity: true })
          .where(eq(documents.id, document.id));
      },
    });
    dependencies = checked;
    expect(await outcomeOf(sign(document, amelia))).toBe('identity_not_confirmed');
  });

  test('rejects the signature of a session that has ended', async () => {
    const { document, amelia } = await toSign();
    expect(await outcomeOf(sign(document, amelia, {}, { endedAt: clock() }))).toBe('unauthenticated');
    expect(await outcomeOf(sign(document, amelia, {}, { expiresAt: clock() }))).toBe('unauthenticated');
    expect(await recordsOf(document.id)).toEqual([]);
  });

  test('adds one page to the signed copy and keeps the original available', async () => {
    const { document, amelia } = await toSign();
    const request = { clientId: amelia, documentId: document.id, version: undefined };
    const before = await readContent(dependencies, request);
    await sign(document, amelia);
    const after = await readContent(dependencies, request);
    const pages = async (content: Buffer) => (await PDFDocument.load(content)).getPageCount();
    expect(await pages(after.content)).toBe((await pages(before.content)) + 1);
    expect(after).toMatchObject({ mediaType: 'application/pdf', fileName: 'draft-contract (signed).pdf' });
    expect(await readContent(dependencies, { ...request, version: 'original' })).toEqual(before);
    expect(printed).toHaveLength(1);
  });

  test('rejects a second signature by the same client, even a concurrent one', async () => {
    const { document, amelia } = await toSign();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => outcomeOf(sign(document, amelia))));
    expect(outcomes.sort()).toEqual(['already_signed', 'already_signed', 'already_signed', 'signed']);
    expect(await recordsOf(document.id)).toHaveLength(1);
    expect(await outcomeOf(sign(document, amelia))).toBe('already_signed');
  });

  test('accepts concurrent signatures of both joint clients and then completes the task', async () => {
    const { document, amelia, tom, taskId } = await toSign();
    await Promise.all([sign(document, amelia), sign(document, tom, { name: 'Tom Okafor' })]);
    expect((await recordsOf(document.id)).map(({ position }) => position)).toEqual([1, 2]);
    expect(await taskStatus(taskId)).toBe('done');
    const { signature } = await readDocument(document.id).forClient(stored.database, amelia);
    expect(signature).toMatchObject({
      required: false,
      signed_by: 'Amelia Okafor',
      others: [{ name: 'Tom Okafor', signed_at: clock().toISOString() }],
    });
    // The copy lists both signatures, in any order of printing.
    await readContent(dependencies, { clientId: tom, documentId: document.id, version: undefined });
    expect(printed.map(({ signatures }) => signatures.length)).toContain(2);
  });

  test('leaves the signing task open after one of two signatures', async () => {
    const { document, amelia, taskId } = await toSign();
    await sign(document, amelia);
    expect(await taskStatus(taskId)).toBe('open');
  });

  test('rejects a document that needs no signature, of another client, or unknown', async () => {
    const { document, amelia } = await toSign({ signing: null });
    const stranger = await toSign();
    expect(await outcomeOf(sign(document, amelia))).toBe('signature_not_requested');
    expect(await outcomeOf(sign(document, stranger.amelia))).toBe('not_found');
    expect(await outcomeOf(sign({ ...document, id: newId() }, amelia))).toBe('not_found');
    expect(await outcomeOf(sign({ ...document, id: '1' }, amelia))).toBe('not_found');
    expect(await recordsOf(document.id)).toEqual([]);
  });

  test.each(['deed', 'wet_ink'] as const)(
    'rejects an electronic signature on a document with signing %s',
    async (signing) => {
      const { document, amelia, taskId } = await toSign({ signing });
      expect(await outcomeOf(sign(document, amelia, { consent: signatureConsent(null) }))).toBe(
        'signed_on_paper',
      );
      expect(await recordsOf(document.id)).toEqual([]);
      expect(await taskStatus(taskId)).toBe('open');
    },
  );

  test('records with a signature the statement that the client saw, and rejects another one', async () => {
    const { document, amelia } = await toSign({ bindsOn: 'signature' });
    const shown = await readDocument(document.id).forClient(stored.database, amelia);
    expect(shown.signature).toMatchObject({ binds_on: 'signature', consent: signatureConsent('signature') });
    expect(await outcomeOf(sign(document, amelia, { consent: signatureConsent('exchange') }))).toBe(
      'document_changed',
    );
    expect(await outcomeOf(sign(document, amelia, { consent: shown.signature?.consent ?? '' }))).toBe(
      'signed',
    );
    expect(printed[0]?.signatures[0]?.consent).toContain('It commits me once it’s signed.');
  });

  test('rejects a signature whose client was shown another file than the one that is signed', async () => {
    const { document, amelia, tom } = await toSign();
    const other = { shown_sha256: 'b'.repeat(64) };
    expect(await outcomeOf(sign(document, amelia, other))).toBe('document_changed');
    expect(await recordsOf(document.id)).toEqual([]);
    expect(await outcomeOf(sign(document, amelia, { shown_sha256: document.sha256 }))).toBe('signed');
    // The second client is shown the copy that the first one has signed.
    const request = { clientId: tom, documentId: document.id, version: undefined };
    const { content } = await openContent(dependencies, request);
    expect(content.sha256).not.toBe(document.sha256);
    const name = 'Tom Okafor';
    expect(await outcomeOf(sign(document, tom, { name, ...other }))).toBe('document_changed');
    expect(await outcomeOf(sign(document, tom, { name, shown_sha256: content.sha256 }))).toBe('signed');
  });

  test('rejects a document that was replaced while it was read', async () => {
    const { document, amelia, matterId } = await toSign();
    const { id, sha256 } = await readDocument(document.id).forClient(stored.database, amelia);
    expect(await outcomeOf(sign({ id, sha256: 'a'.repeat(64) }, amelia))).toBe('document_changed');
    const newer = await buildStoredDocument(stored.database, files, {
      matterId,
      supersedesId: id,
      signing: 'simple' as const,
    });
    expect(await outcomeOf(sign({ id, sha256 }, amelia))).toBe('document_changed');
    expect(await outcomeOf(sign(newer, amelia))).toBe('signed');
    expect(await recordsOf(id)).toEqual([]);
  });

  test.each([
    ['is missing', (sha256: string) => files.lose(sha256)],
    ['is cut short', (sha256: string) => files.tamper(sha256, (content) => content.subarray(0, -1))],
    ['is longer', (sha256: string) => files.tamper(sha256, (content) => Buffer.concat([content, content]))],
    [
      'has one other byte',
      (sha256: string) =>
        files.tamper(sha256, (content) => {
          content[100] = (content[100] ?? 0) ^ 1;
          return content;
        }),
    ],
  ])('rejects signing and reading when the file %s, and alerts the operator', async (_how, damage) => {
    const { document, amelia } = await toSign();
    await damage(document.sha256);
    const request = { clientId: amelia, documentId: document.id, version: undefined };
    expect(await outcomeOf(sign(document, amelia))).toBe('document_damaged');
    expect(await outcomeOf(readContent(dependencies, request))).toBe('document_damaged');
    expect(await recordsOf(document.id)).toEqual([]);
    expect(alerts).toHaveLength(2);
    expect(alerts[0]).toMatchObject({
      message: 'a stored document is damaged',
      details: { document: document.id },
    });
  });

  test.each([
    ["siobhán m. O'Brien-Łukasiewicz", 'Siobhán', "O'Brien-Łukasiewicz"],
    ['李小龍', '小龍', '李'],
    ['יעל כהן', 'יעל', 'כהן'],
    ['محمد الأحمد', 'محمد', 'الأحمد'],
    ['Zoë 🌻 Ashdown 👩‍👩‍👧', 'Zoë', 'Ashdown'],
  ])(
    'keeps the typed name and prints the client’s own name next to it: %s',
    async (name, firstName, lastName) => {
      const { document, amelia } = await toSign({}, { firstName, lastName });
      expect((await sign(document, amelia, { name })).signature?.signed_by).toBe(name);
      expect(printed[0]?.signatures[0]).toMatchObject({ name, clientName: `${firstName} ${lastName}` });
    },
  );

  test.each(['Tom Okafor', 'Amelia', 'Mickey Mouse'])(
    'rejects the name of another person: %s',
    async (name) => {
      const { document, amelia } = await toSign();
      expect(await outcomeOf(sign(document, amelia, { name }))).toBe('name_mismatch');
      expect(await recordsOf(document.id)).toEqual([]);
    },
  );

  test.each([
    [' Zoe\u0308   Ashdown\t', 'Zoë Ashdown'],
    ['Zoë\u00a0Ashdown', 'Zoë Ashdown'],
  ])('normalises the name %j of a signature', async (name, kept) => {
    const { document, amelia } = await toSign({}, { firstName: 'Zoë', lastName: 'Ashdown' });
    expect((await sign(document, amelia, { name })).signature?.signed_by).toBe(kept);
  });

  test.each(['   ', '--', '🌻🌻', 'Amelia \u202eroafakO', 'A\u0007melia', '2', 'A '])(
    'rejects a signature with the name %j',
    async (name) => {
      const { document, amelia } = await toSign();
      expect(await outcomeOf(sign(document, amelia, { name }))).toBe('invalid_input');
      expect(await recordsOf(document.id)).toEqual([]);
    },
  );

  test('rejects a stroke with an incomplete point and clips strokes to their box', async () => {
    const { document, amelia } = await toSign();
    const box = { width: 100, height: 50 };
    const half = { ...box, strokes: [[1, 2, 3]] };
    expect(await outcomeOf(sign(document, amelia, { drawing: half }))).toBe('invalid_input');
    await sign(document, amelia, { drawing: { ...box, strokes: [[1, 2, 4_000, 4_000]] } });
    expect(printed[0]?.signatures[0]?.drawing).toEqual({ ...box, strokes: [[1, 2, 100, 50]] });
  });

  test('keeps the signature when printing fails and retries later, not for every reader', async () => {
    const { document, amelia } = await toSign();
    printerFails = new Error('out of ink');
    expect(await outcomeOf(sign(document, amelia))).toBe('signed');
    const request = { clientId: amelia, documentId: document.id, version: undefined };
    for (let reader = 0; reader < 3; reader += 1) {
      expect(await outcomeOf(readContent(dependencies, request))).toBe('unavailable');
    }
    expect(attempts).toBe(1);
    expect(alerts).toMatchObject([
      { message: 'a signed document could not be made', details: { error: { message: 'out of ink' } } },
    ]);
    // The original stays readable.
    expect(await outcomeOf(readContent(dependencies, { ...request, version: 'original' }))).toBe('signed');
    printerFails = null;
    clock.advance(300_000);
    const [one, other] = await Promise.all([1, 2].map(() => readContent(dependencies, request)));
    expect(one?.mediaType).toBe('application/pdf');
    expect(one?.content.equals(other?.content ?? Buffer.alloc(0))).toBe(true);
    expect(attempts).toBe(2);
  });

  test.each([
    ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), 'image/webp' as const],
    ['a PDF cut short', anyPdf().subarray(0, 500), 'application/pdf' as const],
    ['a form', markedPdfs['text field with appearance'](), 'application/pdf' as const],
    [
      'a form whose values are not shown',
      markedPdfs['text field without appearance'](),
      'application/pdf' as const,
    ],
    [
      'a PDF that would show another page once it is signed',
      afterOtherBytes(5, markedPdfs['page that readers find in two ways']()),
      'application/pdf' as const,
    ],
  ])(
    'rejects %s, which can have no signed copy, and keeps it readable',
    async (_what, content, mediaType) => {
      dependencies = open(createSignaturePrinter());
      const { document, amelia } = await toSign({ content, mediaType });
      expect(await outcomeOf(sign(document, amelia))).toBe('document_not_signable');
      expect(await recordsOf(document.id)).toEqual([]);
      expect(alerts).toMatchObject([
        {
          message: 'a document cannot be signed: share a new version of it',
          details: { document: document.id, reason: expect.stringMatching(/: .*(use|share)/) },
        },
      ]);
      const request = { clientId: amelia, documentId: document.id, version: undefined };
      expect((await readContent(dependencies, request)).content.equals(content)).toBe(true);
    },
  );

  test('signing answers unavailable while it is unknown whether a signed copy can be made', async () => {
    const { document, amelia } = await toSign();
    checkFails = new Error('out of ink');
    expect(await outcomeOf(sign(document, amelia))).toBe('unavailable');
    expect(await recordsOf(document.id)).toEqual([]);
  });

  test('serves the original of a signed document that can have no signed copy', async () => {
    const { document, amelia } = await toSign();
    printerFails = new UnprintableDocument('it takes too long');
    await sign(document, amelia);
    const request = { clientId: amelia, documentId: document.id, version: undefined };
    const original = await readContent(dependencies, { ...request, version: 'original' });
    expect(original.fileName).toBe('draft-contract.pdf');
    expect(await readContent(dependencies, request)).toEqual(original);
    expect(attempts).toBe(1);
  });

  test('answers a signature before its signed copy is made if that takes long, and a stop waits for the copy', async () => {
    const { document, amelia, tom } = await toSign();
    let finishPrinting = () => {};
    const isFinished = new Promise<void>((resolve) => {
      finishPrinting = resolve;
    });
    const checked: Uint8Array[] = [];
    dependencies = open({
      append: async (pdf) => {
        await isFinished;
        return Buffer.from(pdf);
      },
      check: async (pdf) => void checked.push(pdf),
    });
    await sign(document, amelia);
    await sign(document, tom, { name: 'Tom Okafor' });
    expect(await recordsOf(document.id)).toHaveLength(2);
    expect(checked).toHaveLength(1);
    const stopping = dependencies.copies.stop();
    finishPrinting();
    await stopping;
    const { rows } = await stored.pool.query(
      'select s.position from signed_files f join document_signatures s on s.id = f.signature_id where s.document_id = $1',
      [document.id],
    );
    // The copy with both signatures was waiting for the first one, and its first reader makes it.
    expect(rows).toEqual([{ position: 1 }]);
    expect(alerts).toEqual([]);
  });

  test('makes a signed copy once for concurrent requests', async () => {
    const { document, amelia } = await toSign();
    printerFails = new Error('out of ink');
    await sign(document, amelia);
    printerFails = null;
    clock.advance(300_000);
    const request = { clientId: amelia, documentId: document.id, version: undefined };
    await Promise.all([1, 2, 3, 4, 5].map(() => readContent(dependencies, request)));
    expect(attempts).toBe(2);
  });

  test('does not serve an altered signed copy', async () => {
    const { document, amelia } = await toSign();
    await sign(document, amelia);
    const { rows } = await stored.pool.query(
      'select f.sha256 from signed_files f join document_signatures s on s.id = f.signature_id where s.document_id = $1',
      [document.id],
    );
    await files.tamper(rows[0].sha256, (content) => content.fill(0));
    const request = { clientId: amelia, documentId: document.id, version: undefined };
    expect(await outcomeOf(readContent(dependencies, request))).toBe('document_damaged');
  });

  test('turns a signed picture into a PDF of the picture and the signatures', async () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAC0lEQVR4nGNgQAcAABIAATqZvAUAAAAASUVORK5CYII=',
      'base64',
    );
    const { document, amelia } = await toSign({
      content: picture,
      mediaType: 'image/png',
      fileName: 'Deed scan.PNG',
    });
    dependencies = open(createSignaturePrinter());
    await sign(document, amelia);
    const signed = await readContent(dependencies, {
      clientId: amelia,
      documentId: document.id,
      version: undefined,
    });
    expect(signed).toMatchObject({ mediaType: 'application/pdf', fileName: 'Deed scan (signed).pdf' });
    expect((await PDFDocument.load(signed.content)).getPageCount()).toBe(2);
    expect(alerts).toEqual([]);
  });

  test('still lists a signer who has left the case', async () => {
    const { document, amelia, tom, id } = await toSign();
    await sign(document, tom, { name: 'Tom Okafor' });
    await stored.pool.query('delete from case_clients where case_id = $1 and client_id = $2', [id, tom]);
    const { signature } = await readDocument(document.id).forClient(stored.database, amelia);
    expect(signature).toMatchObject({
      required: true,
      others: [{ name: 'Tom Okafor', signed_at: clock().toISOString() }],
    });
    expect(await outcomeOf(sign(document, tom))).toBe('not_found');
  });
});

describe('stored signature records', () => {
  test.each([
    "update document_signatures set name = 'X' where id = $1",
    'delete from document_signatures where id = $1',
    'update signed_files set size = 1 where signature_id = $1',
    'delete from signed_files where signature_id = $1',
  ])('stored signature records cannot be changed in the database by %s', async (statement) => {
    const { document, amelia } = await toSign();
    await sign(document, amelia);
    const [record] = await recordsOf(document.id);
    await expect(stored.pool.query(statement, [record?.id])).rejects.toThrow(/append-only/);
    await expect(stored.pool.query('truncate document_signatures cascade')).rejects.toThrow(/append-only/);
  });

  test('stored signature records prevent the deletion of their document', async () => {
    const { document, amelia } = await toSign({ content: anyPdf() });
    await sign(document, amelia);
    await expect(stored.database.delete(documents).where(eq(documents.id, document.id))).rejects.toThrow();
  });
});
