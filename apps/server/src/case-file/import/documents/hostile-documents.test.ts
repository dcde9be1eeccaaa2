import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anyPdf,
  createImportDependencies,
  decompressionBomb,
  deepNesting,
  fixtureFeed,
  tooManyObjects,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { markedPdfs } from '@keyturn/testkit/marked-pdfs.ts';
import { withPdfWorker } from '@keyturn/testkit/pdf-worker.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileStore } from '../../../adapters/files/file-store.ts';
import { createFaultFinders } from '../../../adapters/pdf/create-fault-finders.ts';
import { createPdfProcess } from '../../../adapters/pdf/create-pdf-process.ts';
import { createSignaturePrinter } from '../../../adapters/pdf/create-signature-printer.ts';
import { importFeed } from '../../../doors/import/import-feed.ts';
import type { DocumentFaults } from '../ports.ts';
import { checkFile } from './waiting-files.ts';

const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;

const testDatabase = withFreshTestDatabase();
const worker = withPdfWorker();
const hostile = {
  'bomb.pdf': decompressionBomb,
  'objects.pdf': tooManyObjects,
  'nested.pdf': deepNesting,
};
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-hostile-'));
  for (const [name, make] of Object.entries(hostile)) writeFileSync(join(folder, name), make());
  writeFileSync(join(folder, 'letter.pdf'), anyPdf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [letter] = fixtureFeed.documents;
const toSign = (reference: string, file: string) => ({
  ...letter,
  reference,
  file,
  signing: 'simple' as const,
});

function take(documents: unknown[], faults: Partial<DocumentFaults>, dryRun: boolean) {
  const dependencies = createImportDependencies(
    { database: testDatabase.database, files: createFileStore(join(folder, 'stored')) },
    faults,
  );
  const feed = { ...fixtureFeed, documents: [...fixtureFeed.documents, ...documents] };
  return importFeed(dependencies, { feed, folder, as: 'real', actor, dryRun });
}

describe('importing hostile documents', () => {
  test('fault 63: rejects each hostile document by name and imports the rest', async () => {
    const pdf = createPdfProcess(worker.script, { time: 60_000, memory: 256, idle: 60_000 });
    const documents = [
      ...Object.keys(hostile).map((file) => toSign(file, file)),
      toSign('after them', 'letter.pdf'),
    ];
    const report = await take(documents, createFaultFinders(pdf), false);
    expect(report.rejected.map(({ reference, place }) => [reference, place])).toEqual([
      ['bomb.pdf', '/documents/1/file'],
      ['objects.pdf', '/documents/2/file'],
      ['nested.pdf', '/documents/3/file'],
    ]);
    expect(report.rejected[0]?.reason).toBe(
      'cannot be signed: it needs more than 256 MB of memory: save it as a smaller file and use that',
    );
    expect(report.created).toBe(8);
  });

  test('refuses a form whose values are not shown in a feed’s folder, in an upload, and as a document to sign', async () => {
    const faults = createFaultFinders(createSignaturePrinter());
    const form = markedPdfs['text field without appearance']();
    writeFileSync(join(folder, 'form.pdf'), form);
    const fault = expect.stringMatching(
      /^cannot be shared: it has form fields with values .+: save it as a flat PDF/,
    );
    const shared = { ...letter, reference: 'shared', file: 'form.pdf' };
    const { rejected } = await take([shared, toSign('to sign', 'form.pdf')], faults, true);
    expect(rejected).toMatchObject([
      { reference: 'shared', reason: fault },
      { reference: 'to sign', reason: expect.stringMatching(/^cannot be signed: it has form fields/) },
    ]);
    const { database } = testDatabase;
    const dependencies = createImportDependencies({ database, files: createFileStore(folder) }, faults);
    const sent = { reference: 'sent', content: form, sender: { actor, address: null } };
    await expect(checkFile(dependencies, sent)).rejects.toMatchObject({ message: fault });
    expect(await checkFile(dependencies, { ...sent, content: anyPdf() })).toMatchObject({
      mediaType: 'application/pdf',
    });
  });

  test.each([true, false])('checks documents while no transaction is open (dry run: %s)', async (dryRun) => {
    const open: unknown[] = [];
    let checks = 0;
    const findSigningFault = async () => {
      checks += 1;
      // Without the same statement of the other check, which runs at the same time.
      const { rows } = await testDatabase.pool.query(
        `select state, query from pg_stat_activity
         where datname = current_database() and xact_start is not null
           and backend_type = 'client backend' and query not like '%pg_stat_activity%'`,
      );
      open.push(...rows);
      return null;
    };
    await take([toSign('one', 'letter.pdf'), toSign('two', 'nested.pdf')], { findSigningFault }, dryRun);
    expect(checks).toBe(2);
    expect(open).toEqual([]);
  });

  test('checks an unchanged document only once', async () => {
    let checks = 0;
    const findSigningFault = async () => {
      checks += 1;
      return null;
    };
    const documents = [toSign('one', 'letter.pdf')];
    await take(documents, { findSigningFault }, false);
    expect(await take(documents, { findSigningFault }, false)).toMatchObject({ unchanged: 8, rejected: [] });
    expect(checks).toBe(1);
  });
});
