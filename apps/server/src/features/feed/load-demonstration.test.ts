import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaseFeed, documentGroups } from '@keyturn/contract';
import { createTestDatabase } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { makeDemonstration } from '../../../../../demo/make-demonstration.ts';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { createSignaturePrinter } from '../../adapters/pdf/create-signature-printer.ts';
import { createSigningFaultFinder } from '../../adapters/pdf/create-signing-fault-finder.ts';
import { checkNewPassword } from '../sign-in/check-new-password.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { loadDemonstration } from './load-demonstration.ts';
import { shiftDates, wholeWeeksBetween } from './shift-dates.ts';

const demo = join(import.meta.dirname, '../../../../../demo');

describe('the demonstration firm', () => {
  test('loads once and completely, with 500 history entries for George and open tasks for Amelia', async () => {
    const testDatabase = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
    const dependencies = {
      database: testDatabase.database,
      files: createFileStore(folder),
      clock: () => new Date('2027-03-03T12:00:00Z'),
      hashPassword,
      checkPassword: checkNewPassword,
      findSigningFault: createSigningFaultFinder(createSignaturePrinter()),
      folder: demo,
    };
    await loadDemonstration(dependencies);
    await loadDemonstration(dependencies);
    const one = async (sql: string) => (await testDatabase.pool.query(sql)).rows[0];
    expect(await one('select holds from installation')).toEqual({ holds: 'demonstration' });
    expect(await one('select count(*)::int as n from clients where password_hash is not null')).toEqual({
      n: 4,
    });
    expect(
      await one(
        `select count(*)::int as n from history_entries h join conveyancing_cases c on c.id = h.case_id where c.status = 'completed'`,
      ),
    ).toEqual({ n: 500 });
    expect(
      await one("select count(*)::int as n from case_searches where status = 'awaiting_payment'"),
    ).toEqual({ n: 2 });
    expect(await one('select count(*)::int as n from case_searches where outcome is not null')).toEqual({
      n: 2,
    });
    // Everything older than a week counts as read.
    expect(
      (
        await testDatabase.pool.query(
          `select c.first_name, count(*)::int as unread from documents d join matters m on m.id = d.matter_id
             join case_clients cc on cc.case_id = m.case_id join clients c on c.id = cc.client_id
           where not exists (select 1 from document_reads r where r.document_id = d.id and r.client_id = c.id)
           group by 1 order by 1`,
        )
      ).rows,
    ).toEqual([
      { first_name: 'Amelia', unread: 6 },
      { first_name: 'George', unread: 1 },
      { first_name: 'Priya', unread: 1 },
      { first_name: 'Tom', unread: 6 },
    ]);
    // A Friday in the current week of the clock.
    expect(await one("select min(due_on)::text as due_on from tasks where kind = 'sign_document'")).toEqual({
      due_on: '2027-03-05',
    });
    await testDatabase.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('has documents for every document screen', async () => {
    const { documents = [], matters = [] } = JSON.parse(readFileSync(join(demo, 'firm.json'), 'utf8'));
    type Shown = CaseFeed['documents'] & object;
    const of = (matter: string): Shown =>
      documents.filter((document: Shown[number]) => document.matter === matter);
    const groups = (matter: string) => new Set(of(matter).map(({ group }) => group));
    for (const matter of ['KT-2026-00421-P', 'KT-2026-00421-S']) {
      expect(groups(matter).size).toBeGreaterThanOrEqual(6);
      expect(of(matter).filter(({ file }) => file.endsWith('.png'))).toHaveLength(1);
      expect(of(matter).filter(({ supersedes }) => supersedes)).toHaveLength(1);
      expect(of(matter).filter(({ signature_required }) => signature_required)).toHaveLength(1);
    }
    expect(groups('KT-2025-00187-S').size).toBeGreaterThan(documentGroups.length / 2);
    expect(groups('KT-2026-00455-P')).toEqual(new Set(['client-care']));
    expect(matters).toHaveLength(5);
    const titles = documents.map(({ title }: Shown[number]) => title).join();
    expect(titles).toContain("O'Brien-Łukasiewicz");
    expect(titles).toContain('李小龍');
  });

  test('is completed by the next start after an interrupted load', async () => {
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
      checkPassword: checkNewPassword,
      findSigningFault: createSigningFaultFinder(createSignaturePrinter()),
      folder: demo,
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
    expect(await counted()).toEqual({ clients: 4, cases: 4 });
    // A later start does not undo what a client did since.
    await testDatabase.pool.query("update clients set feed_hash = null, last_name = 'Kept'");
    await loadDemonstration(dependencies);
    const { rows } = await testDatabase.pool.query('select distinct last_name from clients');
    expect(rows).toEqual([{ last_name: 'Kept' }]);
    await testDatabase.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('matches its sources byte for byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
    await makeDemonstration(folder);
    const digest = (root: string) =>
      [
        'firm.json',
        ...readdirSync(join(root, 'documents'))
          .sort()
          .map((name) => `documents/${name}`),
      ].map(
        (name) =>
          `${name} ${createHash('sha256')
            .update(readFileSync(join(root, name)))
            .digest('hex')}`,
      );
    expect(digest(demo)).toEqual(digest(folder));
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('shiftDates', () => {
  test('moves forward by whole weeks, so that weekdays stay', () => {
    expect(wholeWeeksBetween('2026-11-20', new Date('2026-11-26T23:00:00Z'))).toBe(0);
    expect(wholeWeeksBetween('2026-11-20', new Date('2026-11-27T00:00:00Z'))).toBe(1);
    expect(wholeWeeksBetween('2026-11-20', new Date('2020-01-01T00:00:00Z'))).toBe(0);
  });

  test('keeps the time of day in London across clock changes', () => {
    expect(shiftDates({ at: '2026-10-21T08:00:00Z', on: '2026-10-21', text: 'in 2026' }, 7)).toEqual({
      at: '2026-10-28T09:00:00.000Z',
      on: '2026-10-28',
      text: 'in 2026',
    });
  });
});
