import {
  buildCase,
  buildDocument,
  buildSignature,
  buildStoredDocument,
  type ClamdSimulator,
  createTestFiles,
  eicar,
  parseCommand,
  startClamdSimulator,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClamdScanner } from '../../adapters/clamd/create-clamd-scanner.ts';
import { type FindMalware, ScannerUnavailable } from '../../platform/files/find-malware.ts';
import { FileStoreUnavailable } from '../../platform/stored-file.ts';
import { signedFiles } from '../../schema/tables/tables.ts';
import { documentCommand, runWithdraw } from './document-command.ts';
import { runScan } from './scan-documents.ts';

const testDatabase = withFreshTestDatabase();
const files = createTestFiles();
let clamd: ClamdSimulator;
beforeAll(async () => {
  clamd = await startClamdSimulator();
});
afterAll(async () => {
  await clamd.close();
  files.drop();
});
beforeEach(() => {
  clamd.behaviour = 'scan';
  clamd.scanned = [];
});

const rows = async (text: string) => (await testDatabase.pool.query(text)).rows;
const clock = () => new Date('2026-11-25T10:00:00Z');
const infected = Buffer.concat([Buffer.from('%PDF-1.7 '), eicar]);

/** Scans all documents, by default with clamd. */
async function scan(findMalware: FindMalware | null = scanWithClamd) {
  const lines: string[] = [];
  const { database } = testDatabase;
  const code = await runScan({ database, clock, files, findMalware }, (line) => lines.push(line));
  return { code, lines };
}

const scanWithClamd: FindMalware = (content) =>
  createClamdScanner({ address: { host: '127.0.0.1', port: clamd.port }, clock, alertOperator: () => {} })(
    content,
  );

/** Signs a document, whose signed copy has this content. */
async function sign({ id }: { id: string }, clientId: string, copy: Buffer) {
  const { database } = testDatabase;
  const signature = await buildSignature(database, { documentId: id, clientId });
  await database.insert(signedFiles).values({
    signatureId: signature.id,
    sha256: await files.put(copy),
    size: copy.length,
    madeAt: clock(),
    mac: Buffer.alloc(32),
  });
}

test('scans the files of all documents and their signed copies, and finds nothing', async () => {
  const { matterId, clientId } = await buildCase(testDatabase.database);
  const documents = await Promise.all(
    [11, 22, 33].map((size) =>
      buildStoredDocument(testDatabase.database, files, { matterId, content: Buffer.alloc(size, 7) }),
    ),
  );
  const [signed] = documents;
  if (signed) await sign(signed, clientId, Buffer.alloc(44, 7));
  expect(await scan()).toEqual({ code: 0, lines: ['4 files scanned, 0 with malware, 0 not scanned.'] });
  expect(clamd.scanned.toSorted()).toEqual([11, 22, 33, 44]);
});

test('names each document with malware, says what to do about it, and audits it once', async () => {
  const { database } = testDatabase;
  const { matterId, clientId, reference } = await buildCase(database);
  const build = (title: string, changes: { withdrawnAt?: Date } = {}) =>
    buildStoredDocument(database, files, {
      matterId,
      title,
      reference: title,
      content: infected,
      ...changes,
    });
  const shared = await build('Shared');
  const withdrawn = await build('Withdrawn', { withdrawnAt: clock() });
  await sign(await build('Signed'), clientId, Buffer.concat([infected, Buffer.from(' signed')]));
  const { code, lines } = await scan();
  expect(code).toBe(1);
  expect((await scan()).lines.toSorted()).toEqual(lines.toSorted());
  expect(lines.toSorted()).toEqual([
    '4 files scanned, 3 with malware, 1 with malware in withdrawn documents, 0 not scanned.',
    `The signed copy of “Signed” (Signed, case ${reference}) contains malware (Eicar-Test-Signature). Clients can open it. It is signed, so it cannot be withdrawn: call them, and share a new version.`,
    `“Shared” (Shared, case ${reference}) contains malware (Eicar-Test-Signature). Clients can open it. Withdraw it: keyturn document withdraw ${shared.id} --malware`,
    `“Signed” (Signed, case ${reference}) contains malware (Eicar-Test-Signature). Clients can open it. It is signed, so it cannot be withdrawn: call them, and share a new version.`,
    `“Withdrawn” (Withdrawn, case ${reference}) contains malware (Eicar-Test-Signature). It is withdrawn. To warn clients who have opened it: keyturn document withdraw ${withdrawn.id} --malware`,
  ]);
  expect(
    await rows(
      `select subject_id, actor_kind, after->>'malware' as malware from audit_entries
       where action = 'document.stored_malware_found' order by subject_id`,
    ),
  ).toEqual(
    ['Shared', 'Signed', 'Signed', 'Withdrawn'].map((subject_id) => ({
      subject_id,
      actor_kind: 'command_line',
      malware: 'Eicar-Test-Signature',
    })),
  );
});

test('counts missing and damaged files as not scanned, and scans the others', async () => {
  const { database } = testDatabase;
  const { matterId } = await buildCase(database);
  await buildDocument(database, { matterId, title: 'Missing' });
  const damaged = await buildStoredDocument(database, files, { matterId, title: 'Damaged' });
  await files.tamper(damaged.sha256, (content) => content.subarray(1));
  await buildStoredDocument(database, files, { matterId, title: 'Intact' });
  const { code, lines } = await scan();
  expect(code).toBe(1);
  expect(lines.toSorted()).toEqual([
    '1 file scanned, 0 with malware, 2 not scanned.',
    expect.stringMatching(/^“Damaged” .* was not scanned: the file is truncated\.$/),
    expect.stringMatching(/^“Missing” .* was not scanned: the file is missing\.$/),
  ]);
});

test('continues after a file that the scanner refuses, and stops when it scans none', async () => {
  const { database } = testDatabase;
  const { matterId } = await buildCase(database);
  await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      buildStoredDocument(database, files, { matterId, content: Buffer.from(`document ${number}`) }),
    ),
  );
  let requests = 0;
  const refusesFirst: FindMalware = async (content) => {
    requests += 1;
    if (requests === 1) throw new ScannerUnavailable('the file is larger than the scanner accepts');
    return scanWithClamd(content);
  };
  expect((await scan(refusesFirst)).lines.at(-1)).toMatch(
    /^11 files scanned, 0 with malware, 1 not scanned\.$/,
  );

  clamd.behaviour = 'close';
  const { code, lines } = await scan();
  expect(code).toBe(1);
  expect(lines.at(-2)).toMatch(/^Stopped: (8|9|1\d) files in a row could not be scanned\./);
  expect(lines.at(-1)).toMatch(/^0 files scanned, 0 with malware, \d+ not scanned\.$/);
});

test('finds no fault with malware in withdrawn documents, which clients cannot open', async () => {
  const { matterId } = await buildCase(testDatabase.database);
  const withdrawn = { matterId, content: infected, withdrawnAt: clock() };
  const document = await buildStoredDocument(testDatabase.database, files, withdrawn);
  const { code, lines } = await scan();
  expect({ code, last: lines.at(-1) }).toEqual({
    code: 0,
    last: '1 file scanned, 0 with malware, 1 with malware in withdrawn documents, 0 not scanned.',
  });
  const { id } = document;
  const warn = { document: id, reason: 'malware' } as const;
  expect(await runWithdraw({ database: testDatabase.database, clock }, warn, () => {})).toBe(0);
  expect((await scan()).lines[0]).toMatch(/ It is withdrawn, and clients who had opened it were warned\.$/);
});

test('continues after many files in a row that only the scanner refuses', async () => {
  const { database } = testDatabase;
  const { matterId } = await buildCase(database);
  for (let number = 0; number < 24; number += 1)
    await buildStoredDocument(database, files, { matterId, content: Buffer.from(`document ${number}`) });
  const refusesDocuments: FindMalware = async (content) => {
    if (content.includes('document')) throw new ScannerUnavailable('It refuses this file.');
    return null;
  };
  const { code, lines } = await scan(refusesDocuments);
  expect({ code, last: lines.at(-1) }).toEqual({
    code: 1,
    last: '0 files scanned, 0 with malware, 24 not scanned.',
  });
});

test('stops when the document store is unavailable', async () => {
  const { database } = testDatabase;
  const { matterId } = await buildCase(database);
  for (let number = 0; number < 24; number += 1) await buildDocument(database, { matterId });
  const read = () => Promise.reject(new FileStoreUnavailable('the bucket does not answer'));
  const lines: string[] = [];
  const store = { ...files, read };
  const code = await runScan({ database, clock, files: store, findMalware: async () => null }, (line) =>
    lines.push(line),
  );
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/ was not scanned: the bucket does not answer\.$/);
  expect(lines.at(-2)).toMatch(/^Stopped: /);
  expect(lines.length).toBeLessThan(16);
});

test('scans more documents than it reads from the database at a time', async () => {
  const { database } = testDatabase;
  const { matterId } = await buildCase(database);
  const { id } = await buildStoredDocument(database, files, { matterId, content: Buffer.from('one file') });
  await rows(
    `insert into documents select (jsonb_populate_record(document, jsonb_build_object(
       'id', gen_random_uuid(), 'reference', 'copy ' || number))).*
     from documents document, generate_series(1, 1100) number where document.id = '${id}'`,
  );
  let scanned = 0;
  const { code, lines } = await scan(async () => {
    scanned += 1;
    return null;
  });
  expect({ code, scanned }).toEqual({ code: 0, scanned: 1101 });
  expect(lines).toEqual([
    '500 files scanned so far.',
    '1000 files scanned so far.',
    '1101 files scanned, 0 with malware, 0 not scanned.',
  ]);
});

test('says that no scanner is set', async () => {
  expect(await scan(null)).toEqual({
    code: 1,
    lines: ['No scanner is set. Set KEYTURN_VIRUS_SCANNER to the address of a ClamAV daemon.'],
  });
});

test('parses the commands about documents', () => {
  const parse = (...args: string[]) => parseCommand(documentCommand, args);
  expect(parse('scan')).toEqual({ name: 'scan' });
  expect(parse('withdraw', 'D-1')).toEqual({ name: 'withdraw', document: 'D-1', reason: 'mistake' });
  expect(parse('withdraw', 'D-1', '--malware')).toEqual({
    name: 'withdraw',
    document: 'D-1',
    reason: 'malware',
  });
});
