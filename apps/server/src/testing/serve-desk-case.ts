import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeskCase, StaffRole } from '@keyturn/contract/staff';
import { anyPdf, createImportDependencies, type TestDatabase, withFreshTestDatabase } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterEach, beforeEach } from 'vitest';
import { createFileStore } from '../adapters/files/file-store.ts';
import { UnprintableDocument } from '../case-file/documents/ports.ts';
import type { ImportDependencies } from '../case-file/import/batches/batch-context.ts';
import { composeDeskCase } from '../composition/compose-desk-case.ts';
import { importFeed } from '../doors/import/import-feed.ts';
import { deskCaseHandlers } from '../doors/staff/case-routes.ts';
import { firmDataHandlers } from '../doors/staff/firm-data-routes.ts';
import { pathHandlers } from '../doors/staff/path-routes.ts';
import { openSession, type StaffBrowser, serveStaff } from './serve-staff.ts';

const operator = { kind: 'command_line', id: null, name: 'rhian' } as const;

/** The feed of the firm’s system in these tests: the fixture with a promised update for a step. */
export const deskFeed = {
  ...fixtureFeed,
  matters: [
    {
      ...fixtureFeed.matters[0],
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-11-01' },
        { key: 'identity_checked', status: 'current', next_update_by: '2026-11-20' },
      ],
    },
  ],
};

/** These tests do not use signed files. */
const noCopy = async () => {
  throw new UnprintableDocument('a test');
};
const copies = { make: noCopy };

export interface DeskMember {
  id: string;
  call: StaffBrowser['call'];
}

export interface DeskCaseServer {
  testDatabase: TestDatabase;
  clock: Awaited<ReturnType<typeof serveStaff>>['clock'];
  app: Awaited<ReturnType<typeof serveStaff>>['app'];
  dependencies: ImportDependencies;
  /** Imports a feed as the firm’s system does, with the files of a folder. */
  importing(feed: object, filesIn?: string): ReturnType<typeof importFeed>;
  /** Signs a new member in. */
  signIn(role?: StaffRole, name?: string): Promise<DeskMember>;
  /** Reads the case of the fixture as staff do. */
  readCase(member: DeskMember): Promise<DeskCase>;
  rows(sql: string, values?: unknown[]): Promise<ReturnType<typeof JSON.parse>[]>;
}

/** Serves a case and its path at the desk for each test of a file, with the fixture’s case. */
export function withDeskCase(change: Partial<ImportDependencies> = {}): DeskCaseServer {
  const testDatabase = withFreshTestDatabase();
  const served = { testDatabase } as DeskCaseServer;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keyturn-desk-'));
    writeFileSync(join(folder, 'letter.pdf'), anyPdf());
    Object.assign(served, await open(testDatabase, folder, change));
    await served.importing(deskFeed);
  });
  afterEach(async () => {
    await served.app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return served;
}

async function open(testDatabase: TestDatabase, folder: string, change: Partial<ImportDependencies>) {
  let dependencies = {} as ImportDependencies;
  const { app, clock } = await serveStaff(testDatabase, {
    handlers: (now) => {
      const files = createFileStore(join(folder, 'stored'));
      dependencies = createImportDependencies(
        { database: testDatabase.database, files },
        { clock: now, ...change },
      );
      const deskCase = composeDeskCase(dependencies, {
        database: testDatabase.database,
        files,
        copies,
        alertOperator: () => {},
      });
      return { ...deskCaseHandlers(deskCase), ...firmDataHandlers(deskCase), ...pathHandlers(deskCase) };
    },
  });
  const rows = async (sql: string, values: unknown[] = []) =>
    (await testDatabase.pool.query(sql, values)).rows;
  return {
    app,
    clock,
    dependencies,
    rows,
    importing: (feed: object, filesIn = folder) =>
      importFeed(dependencies, { feed, folder: filesIn, as: 'real' as const, actor: operator }),
    signIn: (role: StaffRole = 'handler', name = 'Rhian Morgan') =>
      openSession(testDatabase, { app, clock }, { role, name }),
    readCase: async (browser: DeskMember) => {
      const [found] = await rows("select id from conveyancing_cases where reference = 'K1'");
      return (await browser.call('GET', `/cases/${found.id}`)).data;
    },
  };
}
