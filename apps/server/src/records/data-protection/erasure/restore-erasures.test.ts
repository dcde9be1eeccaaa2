import {
  buildCase,
  buildFirm,
  buildStoredDocument,
  createTestBackups,
  createTestDatabase,
  createTestFiles,
} from '@keyturn/testkit';
import { afterAll, expect, test } from 'vitest';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { verifyAudit } from '../../audit/verify-audit.ts';
import { eraseCase, eraseClient } from './erase.ts';
import { eraseAgain } from './erase-again.ts';
import { removeFilesOfErasures } from './remove-erased-files-job.ts';

const backups = createTestBackups();
const cleanUp: (() => unknown)[] = [() => backups.drop()];
afterAll(async () => {
  for (const clean of cleanUp.reverse()) await clean();
});
async function newPlace() {
  const files = createTestFiles();
  const database = await createTestDatabase();
  cleanUp.push(
    () => files.drop(),
    () => database.drop(),
  );
  return { ...database, files };
}
const clock = () => new Date();

test('a client who was alone on a case in a restored backup is erased again, and the case stays', async () => {
  const { database, pool } = await newPlace();
  const built = await buildCase(database, { clients: [{ firstName: 'Rosalind' }] });
  const subjects = [{ kind: 'client', id: built.clientId }] as const;
  expect(await eraseAgain({ database, clock }, subjects)).toEqual(subjects);
  expect((await pool.query('select id from clients')).rows).toEqual([]);
  expect((await pool.query('select id from conveyancing_cases')).rows).toEqual([{ id: built.id }]);
});

test('a restored backup that is older than an erasure does not bring the client back', async () => {
  const source = await newPlace();
  await buildFirm(source.database);
  const erased = await buildCase(source.database, {
    clients: [{ firstName: 'Rosalind', email: 'rosalind@marker.test' }],
  });
  const kept = await buildCase(source.database);
  const { database, files } = source;
  const document = await buildStoredDocument(database, files, { matterId: erased.matterId });
  const letter = await buildStoredDocument(database, files, { matterId: kept.matterId });
  const older = await backups.backUp(source, { clock: () => new Date('2026-11-20T01:00:00Z') });

  const order = {
    at: clock(),
    by: { actor: { kind: 'command_line', id: null, name: 'rhian' } },
    basis: 'request',
    earlyReason: null,
  } as const;
  await runTransaction(database, async (transaction) => {
    await eraseCase(transaction, erased.id, order);
    await eraseClient(transaction, erased.clientId, order);
  });
  expect(await removeFilesOfErasures({ database, files, clock })).toBe(1);
  const newer = await backups.backUp(source, { clock: () => new Date('2026-11-21T01:00:00Z') });

  const place = await newPlace();
  await place.close();
  const restored = await backups.restore(older.name, place);
  expect(restored.erasedAgain).toEqual([
    { kind: 'case', id: erased.id },
    { kind: 'client', id: erased.clientId },
  ]);
  const copy = await createTestDatabase({ copyOf: place });
  cleanUp.push(() => copy.drop());
  const rows = async (text: string) => (await copy.pool.query(text)).rows;
  expect(await rows('select id from conveyancing_cases')).toEqual([{ id: kept.id }]);
  expect(await rows("select from clients where first_name = 'Rosalind'")).toEqual([]);
  expect(await rows('select basis, count(*)::int as n from erasures group by 1')).toEqual([
    { basis: 'restored', n: 2 },
  ]);
  expect(await place.files.has(document.sha256)).toBe(false);
  expect(await place.files.has(letter.sha256)).toBe(true);
  expect(await verifyAudit(copy.database)).toMatchObject({ isIntact: true });

  const other = await newPlace();
  await other.close();
  expect((await backups.restore(newer.name, other)).erasedAgain).toEqual([]);
});
