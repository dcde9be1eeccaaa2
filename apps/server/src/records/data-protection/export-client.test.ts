import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildCase,
  buildPayment,
  buildStoredDocument,
  createTestFiles,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { writeArchive } from '../../adapters/zip/write-archive.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { systemClock } from '../../platform/clock.ts';
import { notExported, sectionNames } from './client-records.ts';
import { runExportClient } from './export-client-command.ts';

const testDatabase = withFreshTestDatabase();
const files = createTestFiles();
const folder = mkdtempSync(join(tmpdir(), 'keyturn-export-'));
afterAll(() => {
  files.drop();
  rmSync(folder, { recursive: true, force: true });
});
const rows = async (text: string, values: unknown[] = []) =>
  (await testDatabase.pool.query(text, values)).rows;

async function exporting(email: string, name: string) {
  const lines: string[] = [];
  const archive = join(folder, name);
  const { database } = testDatabase;
  const code = await runExportClient(
    { database, files, writeArchive, clock: systemClock },
    { email, archive },
    (line) => lines.push(line),
  );
  return { code, lines, archive };
}

async function twoOwners() {
  const { database } = testDatabase;
  const built = await buildCase(database, {
    clients: [
      { firstName: 'Amelia', email: 'amelia@example.test', phone: '01632 960001', password: 'a password' },
      { firstName: 'Tom', email: 'tom@example.test', phone: '01632 960002' },
    ],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  for (const clientId of [amelia, tom]) {
    await buildPayment(database, {
      caseId: built.id,
      clientId,
      status: 'succeeded',
      payerName: `payer ${clientId}`,
      payerCheck: { relationship: 'canary' } as never,
      receiptEmail: clientId === tom ? 'tom@example.test' : 'amelia@example.test',
    });
    await rows('insert into sessions (token_hash, client_id, expires_at) values (sha256($2), $1, now())', [
      clientId,
      clientId,
    ]);
  }
  return { ...built, amelia, tom };
}

test('the export of a client has their records and files, and nothing that belongs to their joint client alone', async () => {
  const { matterId, amelia, tom } = await twoOwners();
  const { database } = testDatabase;
  const document = await buildStoredDocument(database, files, { matterId, fileName: '../../contract.pdf' });
  const hidden = await buildStoredDocument(database, files, { matterId, withdrawnAt: new Date() });
  const other = await buildCase(database, { clients: [{ firstName: 'Priya' }] });
  await recordAudit(database, {
    occurredAt: new Date(),
    actor: { kind: 'staff', id: '0192f3a0-0000-7000-8000-000000000001', name: 'Jo Finch' },
    action: 'client.sessions_ended',
    subject: { kind: 'client', id: amelia },
    address: '203.0.113.77',
  });

  const { code, lines, archive } = await exporting('Amelia@example.test', 'amelia.zip');
  expect([code, lines[0]]).toEqual([0, expect.stringMatching(/^\d+ records and 1 file written to /)]);
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  const entries = unzipSync(readFileSync(archive));
  const names = Object.keys(entries);
  expect(names).toEqual(['client.json', `documents/${document.reference}/__.._contract.pdf`]);
  expect(Buffer.from(entries[names[1] ?? ''] ?? [])).toEqual(await files.read(document.sha256, 1_000_000));
  const text = strFromU8(entries['client.json'] as Uint8Array);
  const records = JSON.parse(text);
  expect(records.client).toMatchObject([{ id: amelia, phone: '01632 960001' }]);
  expect(records.payments).toMatchObject([{ client_id: amelia }]);
  // What the firm found out about the payer is not the client’s data.
  expect(JSON.stringify(records)).not.toContain('canary');
  expect(records.sign_ins).toMatchObject([{ client_id: amelia }]);
  expect(records.documents).toMatchObject([{ id: document.id }]);
  expect(records.clients_of_the_cases.map(({ name }: { name: string }) => name.split(' ')[0]).sort()).toEqual(
    ['Amelia', 'Tom'],
  );
  expect(records.audit_log).toContainEqual(
    expect.objectContaining({ action: 'client.sessions_ended', actor_name: 'Jo Finch', address: null }),
  );
  const theirs = ['tom@example.test', '01632 960002', tom, hidden.id, other.id, '203.0.113.77'];
  for (const secret of [...theirs, 'argon2', 'token_hash']) expect(text).not.toContain(secret);
  expect(await rows("select subject_id from audit_entries where action = 'client.data_exported'")).toEqual([
    { subject_id: amelia },
  ]);
});

test('an export has no promise of a quiet step that the screen does not show, nor who authorised an exchange', async () => {
  const { id, matterId } = await twoOwners();
  await rows("update milestones set next_update_by = '2026-01-02' where matter_id = $1", [matterId]);
  await rows('update matters set exchange = $2 where id = $1', [
    matterId,
    { authorised_by: 'Canary Member', authorised_on: '2026-01-02' },
  ]);
  const textOf = async (name: string) => {
    const { archive } = await exporting('amelia@example.test', name);
    const [data] = Object.entries(unzipSync(readFileSync(archive))).filter(([file]) =>
      file.endsWith('.json'),
    );
    return strFromU8(data?.[1] ?? new Uint8Array());
  };
  const before = await textOf('ordinary.zip');
  expect(before).toContain('"next_update_by": "2026-01-02"');
  expect(before).not.toContain('Canary Member');
  await rows('insert into quiet_steps (case_id) values ($1)', [id]);
  expect(await textOf('quiet.zip')).not.toContain('"next_update_by": "2026-01-02"');
});

test('an export has the balances of the firm’s ledger, which no screen of a client shows', async () => {
  const { matterId } = await twoOwners();
  const ledger = { client: 4_711, office: -12, on: '2026-01-02' };
  await rows('update matters set ledger = $2 where id = $1', [matterId, ledger]);
  const { archive } = await exporting('amelia@example.test', 'ledger.zip');
  const files = Object.entries(unzipSync(readFileSync(archive)));
  const [, data = new Uint8Array()] = files.find(([file]) => file.endsWith('.json')) ?? [];
  expect(JSON.parse(strFromU8(data)).matters).toContainEqual(expect.objectContaining({ ledger }));
});

test('an export overwrites no file, names an unknown client and says which files are damaged', async () => {
  const { matterId } = await twoOwners();
  const document = await buildStoredDocument(testDatabase.database, files, { matterId });
  await files.lose(document.sha256);
  expect(await exporting('amelia@example.test', 'damaged.zip')).toMatchObject({
    code: 1,
    lines: [
      expect.any(String),
      expect.stringMatching(/^MISSING OR DAMAGED: documents\//),
      expect.any(String),
    ],
  });
  const before = readFileSync(join(folder, 'damaged.zip'));
  await expect(exporting('amelia@example.test', 'damaged.zip')).rejects.toThrow(
    'exists already: choose another name.',
  );
  expect(readFileSync(join(folder, 'damaged.zip'))).toEqual(before);
  expect(await exporting('none@example.test', 'none.zip')).toMatchObject({ code: 1 });
});

test('every table about a client is exported, or the reason why not is recorded', async () => {
  const tables = await rows(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'client_id' order by 1`,
  );
  const exported: Record<string, string> = {
    client_changes: 'events',
    client_factors: 'factors',
    client_recovery_codes: 'recovery_codes',
    document_deliveries: 'documents_sent',
    document_reads: 'documents_read',
    document_signatures: 'signatures',
    known_devices: 'devices',
    sessions: 'sign_ins',
  };
  for (const { name } of tables)
    expect([name, name in notExported || sectionNames.includes(exported[name] ?? name)]).toEqual([
      name,
      true,
    ]);
});
