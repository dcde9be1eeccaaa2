import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingRegulation } from '@keyturn/contract/staff';
import { createTestDatabase } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { regulation } from '../../../../../demo/firm.ts';
import { makeDemonstration } from '../../../../../demo/make-demonstration.ts';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { createFaultFinders } from '../../adapters/pdf/create-fault-finders.ts';
import { createSignaturePrinter } from '../../adapters/pdf/create-signature-printer.ts';
import { releaseSearch } from '../../payments/records/payments-store.ts';
import { createFirstPasswordCheck } from '../../people/credentials/check-new-password.ts';
import { createPasswords, hashPassword } from '../../people/credentials/passwords.ts';
import type { Database } from '../../platform/database.ts';
import { readRegulatedFirm } from '../../platform/firm-data/statutory-line.ts';
import { loadDemonstration } from './load-demonstration.ts';

const sources = join(import.meta.dirname, '../../../../../demo');
const make = async (folder: string, loadedOn: string) => ({
  feed: await makeDemonstration({ folder, sources, loadedOn }),
  regulation,
});
const withoutScanner = { findMalware: async () => null, alertOperator: () => {} };
/** Loads the demonstration on a day, with its files in a folder. */
const loadingOf = (database: Database, folder: string, loadedOn = '2027-03-03') => ({
  database,
  files: createFileStore(folder),
  clock: () => new Date(`${loadedOn}T12:00:00Z`),
  hashPassword,
  checkPassword: createFirstPasswordCheck(createPasswords()),
  releaseSearch,
  ...createFaultFinders(createSignaturePrinter()),
  ...withoutScanner,
  make,
  loadedOn: null,
});

describe('the demonstration firm', () => {
  test('the demonstration firm is loaded once and completely, with 500 history entries for George and open tasks for Amelia', async () => {
    const testDatabase = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
    const dependencies = loadingOf(testDatabase.database, folder);
    await loadDemonstration(dependencies);
    await loadDemonstration(dependencies);
    const one = async (sql: string) => (await testDatabase.pool.query(sql)).rows[0];
    expect(await one('select holds from installation')).toEqual({ holds: 'demonstration' });
    expect(await one('select count(*)::int as n from clients where password_hash is not null')).toEqual({
      n: 6,
    });
    expect(
      await one(
        `select count(*)::int as n from history_entries h join conveyancing_cases c on c.id = h.case_id where c.status = 'completed'`,
      ),
    ).toEqual({ n: 500 });
    expect(
      await one("select count(*)::int as n from case_searches where status = 'awaiting_payment'"),
    ).toEqual({ n: 4 });
    expect(await one('select count(*)::int as n from case_searches where outcome is not null')).toEqual({
      n: 2,
    });
    // Five working days after the last one before the load.
    expect(await one("select min(due_on)::text as due_on from tasks where kind = 'sign_document'")).toEqual({
      due_on: '2027-03-09',
    });
    await testDatabase.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the demonstration firm has entered everything that a regulated firm must show', async () => {
    const testDatabase = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
    await loadDemonstration(loadingOf(testDatabase.database, folder));
    const { regulation } = await readRegulatedFirm(testDatabase.database);
    expect(missingRegulation(regulation)).toEqual([]);
    await testDatabase.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['2027-03-03', '2026-12-31'])(
    'clients of the demonstration firm have read what is older than five working days, loaded on %s',
    async (loadedOn) => {
      const testDatabase = await createTestDatabase();
      const folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
      await loadDemonstration(loadingOf(testDatabase.database, folder, loadedOn));
      const { rows } = await testDatabase.pool.query(
        `select c.first_name, count(*)::int as unread from documents d join matters m on m.id = d.matter_id
           join case_clients cc on cc.case_id = m.case_id join clients c on c.id = cc.client_id
         where not exists (select 1 from document_reads r where r.document_id = d.id and r.client_id = c.id)
         group by 1 order by 1`,
      );
      expect(rows).toEqual([
        { first_name: 'Amelia', unread: 8 },
        { first_name: 'George', unread: 2 },
        { first_name: 'Priya', unread: 1 },
        { first_name: 'Tom', unread: 8 },
      ]);
      await testDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  );

  test('an interrupted load of the demonstration firm is completed by the next start', async () => {
    const testDatabase = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
    let clients = 0;
    const dependencies = {
      database: testDatabase.database,
      files: createFileStore(folder),
      clock: () => new Date('2027-03-03T12:00:00Z'),
      hashPassword: async (password: string) => {
        clients += 1;
        if (clients === 3) throw new Error('the power is cut');
        return `hash of ${password}`;
      },
      checkPassword: createFirstPasswordCheck(createPasswords()),
      releaseSearch,
      ...createFaultFinders(createSignaturePrinter()),
      ...withoutScanner,
      make,
      loadedOn: null,
    };
    const counted = async () =>
      (
        await testDatabase.pool.query(
          'select (select count(*)::int from clients) as clients, (select count(*)::int from conveyancing_cases) as cases',
        )
      ).rows[0];
    await expect(loadDemonstration(dependencies)).rejects.toThrow(/power is cut/);
    expect(await counted()).toEqual({ clients: 2, cases: 0 });
    await loadDemonstration(dependencies);
    expect(await counted()).toEqual({ clients: 6, cases: 6 });
    // A later start does not undo actions of clients.
    await testDatabase.pool.query("update clients set feed_hash = null, last_name = 'Kept'");
    await loadDemonstration(dependencies);
    const { rows } = await testDatabase.pool.query('select distinct last_name from clients');
    expect(rows).toEqual([{ last_name: 'Kept' }]);
    await testDatabase.drop();
    rmSync(folder, { recursive: true, force: true });
  });
});
