import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PDFDocument } from '@cantoo/pdf-lib';
import { signatureConsent } from '@keyturn/contract';
import { readPdf } from '@keyturn/pdf/testing';
import {
  buildCase,
  buildFirm,
  buildSession,
  buildStoredDocument,
  createTestClock,
  createTestDatabase,
  createTestFiles,
  parseCommand,
  type TestDatabase,
  type TestFiles,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSignaturePrinter } from '../../adapters/pdf/create-signature-printer.ts';
import { readStatutoryLine } from '../../platform/firm-data/statutory-line.ts';
import { newId } from '../../platform/ids.ts';
import { documentHistory } from '../history/record-signature.ts';
import { readSecret } from './documents-store.ts';
import type { SignedFileDependencies } from './make-signed-file.ts';
import { readContent as openContent } from './read-content.ts';
import { type DocumentDependencies, signDocument } from './sign-document.ts';
import { signatureKey } from './signature-record.ts';
import { createSignedCopies } from './signed-copies.ts';
import { runVerify, verifyCommand } from './verify-command.ts';

let stored: TestDatabase;
let files: TestFiles & { drop(): void };
let folder: string;
let dependencies: DocumentDependencies;
const clock = createTestClock('2026-07-20T10:00:00.123Z');

beforeAll(async () => {
  stored = await createTestDatabase();
  files = createTestFiles();
  folder = mkdtempSync(join(tmpdir(), 'keyturn-verify-'));
  await buildFirm(stored.database);
  const making: SignedFileDependencies = {
    database: stored.database,
    files,
    printer: {
      append: async (pdf, { signatures }) => {
        const document = await PDFDocument.load(pdf);
        for (const _signature of signatures) document.addPage();
        return Buffer.from(await document.save());
      },
      check: async () => {},
    },
    signingKey: signatureKey(await readSecret(stored.database)),
    clock,
    alertOperator: () => {},
  };
  dependencies = {
    ...making,
    laterClock: clock,
    history: documentHistory,
    copies: createSignedCopies(making),
  };
});
afterAll(async () => {
  await stored.drop();
  files.drop();
  rmSync(folder, { recursive: true, force: true });
});

const anySignature = {
  clientName: 'Amelia Okafor',
  name: 'Amelia Okafor',
  method: 'typed' as const,
  drawing: null,
  consent: 'I mean it.',
  signedAt: clock(),
  address: '203.0.113.9',
  signedInWith: 'passkey' as const,
  confirmation: null,
};

/** Reads the whole content a client would get. */
async function readContent(...given: Parameters<typeof openContent>) {
  const { content, ...rest } = await openContent(...given);
  await content.prepareToSend();
  return { ...rest, content: await buffer(content.open({ start: 0, end: content.size - 1 })) };
}

async function steppedUpSession(clientId: string): Promise<Buffer> {
  const proofs = {
    signedInWith: 'password_and_code',
    steppedUpAt: clock(),
    steppedUpWith: 'passkey',
  } as const;
  const expiresAt = new Date(clock().getTime() + 3_600_000);
  return (await buildSession(stored.database, { clientId, expiresAt, ...proofs })).tokenHash;
}

/** A document signed by Amelia, then Tom, with the copy each of them got. */
async function signedByTwo() {
  const built = await buildCase(stored.database, {
    clients: [
      { firstName: 'Amelia', lastName: 'Okafor' },
      { firstName: '小龍', lastName: '李' },
    ],
  });
  const document = await buildStoredDocument(stored.database, files, {
    matterId: built.matterId,
    title: 'Contract',
    signing: 'simple' as const,
    confirmIdentity: true,
  });
  const copies: Buffer[] = [];
  for (const [index, clientId] of built.clientIds.entries()) {
    const documentId = document.id;
    await signDocument(dependencies, {
      clientId,
      documentId,
      address: '203.0.113.9',
      sessionHash: await steppedUpSession(clientId),
      body: {
        name: ['Amelia Okafor', '李小龍'][index] ?? '',
        consent: signatureConsent('exchange'),
        sha256: document.sha256,
        drawing: { width: 9, height: 9, strokes: [[1, 2, 3, 4]] },
      },
    });
    const request = { clientId, documentId, version: undefined };
    copies.push((await readContent(dependencies, request)).content);
  }
  const [first, last] = copies as [Buffer, Buffer];
  return { document, first, last };
}

async function verify(subject: string) {
  const lines: string[] = [];
  const code = await runVerify({ database: stored.database, files }, subject, (line) => lines.push(line));
  return { code, output: lines.join('\n') };
}

function fileOf(content: Buffer): string {
  const file = join(folder, `${newId()}.pdf`);
  writeFileSync(file, content);
  return file;
}

/** Changes rows past the trigger that prevents it, as someone with direct database access could. */
async function alter(statement: string, ...values: unknown[]) {
  const client = await stored.pool.connect();
  try {
    await client.query('begin');
    await client.query("set local session_replication_role = 'replica'");
    expect((await client.query(statement, values)).rowCount).toBe(1);
    await client.query('commit');
  } finally {
    client.release();
  }
}

describe('keyturn verify-signature', () => {
  test('verify-signature says who signed a document, when and from where', async () => {
    const { document } = await signedByTwo();
    const { code, output } = await verify(document.id);
    expect(code).toBe(0);
    expect(output).toContain('“Contract”');
    expect(output).toMatch(/1\. Amelia Okafor \(drawn\) on 20 July 2026 at 11:00:00 BST.*203\.0\.113\.9/);
    expect(output).toMatch(/2\. 李小龍/);
    expect(output).toContain(
      `signed in with password_and_code, identity confirmed with passkey at ${clock().toISOString()}`,
    );
    expect(output).toContain('PROVEN: 2 signatures');
    expect(output).not.toContain('NOT PROVEN');
  });

  test('accepts the record id printed on the signature page', async () => {
    const { document } = await signedByTwo();
    const original = await files.read(document.sha256, document.size);
    const [recordId] = (await verify(document.id)).output.match(/(?<=record )[\w-]+/) ?? [];
    const page = await createSignaturePrinter().append(original ?? Buffer.alloc(0), {
      firm: await buildFirm(stored.database),
      statutoryLine: await readStatutoryLine(stored.database),
      documentTitle: document.title,
      fileName: document.fileName,
      caseReference: 'KT-1',
      sha256: document.sha256,
      signatures: [{ ...anySignature, recordId: recordId ?? '' }],
    });
    const { pages } = await readPdf(page);
    const [, argument = ''] = /Record\s+([\w-]{36})/.exec(pages.join(' ')) ?? [];
    expect(parseCommand(verifyCommand, [argument])).toBe(recordId);
    expect(await verify(argument)).toEqual(await verify(document.id));
    expect(await verify(argument)).toMatchObject({
      code: 0,
      output: expect.stringContaining('PROVEN: 2 signatures'),
    });
  });

  test('proves a file to be a signed copy and reports later signatures', async () => {
    const { document, first, last } = await signedByTwo();
    const latest = await verify(fileOf(last));
    expect(latest.code).toBe(0);
    expect(latest.output).toContain(document.id);
    expect(latest.output).toContain('The file is the signed copy with 2 signatures.');
    const earlier = await verify(fileOf(first));
    expect(earlier.code).toBe(0);
    expect(earlier.output).toContain(
      'The file is the signed copy with 1 signature; 1 signature added later.',
    );
  });

  test('verify-signature fails for a file with one changed byte, or the unsigned original', async () => {
    const { document, last } = await signedByTwo();
    const other = await verify(fileOf(Buffer.concat([last, Buffer.from(' ')])));
    expect(other).toMatchObject({ code: 1, output: expect.stringContaining('NOT PROVEN') });
    const original = await files.read(document.sha256, document.size);
    const { code, output } = await verify(fileOf(original ?? Buffer.alloc(0)));
    expect(code).toBe(1);
    expect(output).toContain(`It is the unsigned original of “Contract” (${document.id})`);
  });

  test.each([
    ['id', 'gen_random_uuid()'],
    ['client_id', '(select id from clients where id <> client_id limit 1)'],
    ['name', "name || '.'"],
    ['method', "'typed', drawing = null"],
    ['drawing', '\'{"width": 9, "height": 9, "strokes": [[1, 2, 3, 5]]}\''],
    ['consent', "'no'"],
    ['signed_at', "signed_at + interval '1 millisecond'"],
    ['address', "'203.0.113.8'"],
    ['sha256', "repeat('a', 64)"],
    ['mac', "decode(repeat('00', 32), 'hex')"],
    ['position', '3'],
  ])('verify-signature fails for a document with a changed %s in one record', async (field, value) => {
    const { document } = await signedByTwo();
    expect((await verify(document.id)).code).toBe(0);
    const where = 'document_id = $1 and position = 2';
    await alter(`update document_signatures set ${field} = ${value} where ${where}`, document.id);
    expect(await verify(document.id)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/NOT PROVEN: record .* was altered/),
    });
  });

  test('verify-signature fails for a document whose first signature record was removed', async () => {
    const { document } = await signedByTwo();
    await alter('delete from document_signatures where document_id = $1 and position = 1', document.id);
    expect((await verify(document.id)).code).toBe(1);
    await alter('update document_signatures set position = 1 where document_id = $1', document.id);
    expect((await verify(document.id)).code).toBe(1);
  });

  test('verify-signature fails for a signed copy that was replaced', async () => {
    const { document } = await signedByTwo();
    const forged = Buffer.from('%PDF-1.7 forged');
    await alter(
      `update signed_files set sha256 = $2, size = $3 where signature_id =
        (select id from document_signatures where document_id = $1 and position = 2)`,
      document.id,
      await files.put(forged),
      forged.length,
    );
    expect(await verify(fileOf(forged))).toMatchObject({
      code: 1,
      output: expect.stringContaining('the record of the signed copy'),
    });
  });

  test('verify-signature fails for a document whose stored original or signed copy is altered or missing', async () => {
    const one = await signedByTwo();
    await files.tamper(one.document.sha256, (content) => content.fill(0, 10, 11));
    expect(await verify(one.document.id)).toMatchObject({
      code: 1,
      output: expect.stringContaining('NOT PROVEN: the stored original'),
    });
    const other = await signedByTwo();
    const { rows } = await stored.pool.query(
      'select f.sha256 from signed_files f join document_signatures s on s.id = f.signature_id where s.document_id = $1',
      [other.document.id],
    );
    await files.lose(rows[0].sha256);
    expect(await verify(other.document.id)).toMatchObject({
      code: 1,
      output: expect.stringContaining('NOT PROVEN: the stored signed copy'),
    });
  });

  test('verify-signature fails for a document whose original and record were both replaced', async () => {
    const { document } = await signedByTwo();
    const other = await files.put(Buffer.from('%PDF-1.7 other'));
    await alter('update documents set sha256 = $2, size = 14 where id = $1', document.id, other);
    expect(await verify(document.id)).toMatchObject({
      code: 1,
      output: expect.stringContaining('does not match the document'),
    });
  });

  test('verify-signature fails for an unsigned document', async () => {
    const { matterId } = await buildCase(stored.database);
    const { id } = await buildStoredDocument(stored.database, files, { matterId });
    expect(await verify(id)).toMatchObject({ code: 1, output: expect.stringContaining('no signatures') });
  });

  test('exits with 2 when there is nothing to verify', async () => {
    expect(await verify(newId())).toMatchObject({ code: 2, output: expect.stringContaining('No document') });
    expect((await verify(join(folder, 'nothing.pdf'))).code).toBe(2);
    expect((await verify(folder)).code).toBe(2);
    for (const args of [[], ['--all'], ['a', 'b']]) {
      expect(() => parseCommand(verifyCommand, args)).toThrow(/missing|unknown option|too many arguments/);
    }
  });
});
