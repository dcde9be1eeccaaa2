import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const server = 'apps/server/src/';

/** Files and folders that may start a transaction themselves, each with the reason. */
const exceptions: Record<string, string> = {
  'platform/run-transaction.ts': 'It is the one that repeats transactions.',
  'doors/import/import-feed.ts':
    'A dry run reports each record as it is checked, so a second attempt would report it twice.',
  'case-file/editing/': 'An edit is one import, which repeats its own transactions.',
  'case-file/import/': 'An import repeats its own transactions.',
  'payments/': 'Reports read a snapshot, which cannot deadlock.',
};

/** Finds transactions that are not repeated after a deadlock. A `transaction.transaction` is a savepoint. */
const findDirect = (text: string): string[] =>
  [...text.matchAll(/(\w+)\s*\.transaction\(/g)].flatMap(([, receiver = '']) =>
    receiver === 'transaction' ? [] : [receiver],
  );

test('the server starts transactions with runTransaction, which repeats them after a deadlock', () => {
  const files = execFileSync('git', ['ls-files', `${server}*.ts`], { cwd: project, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && !file.endsWith('.test.ts') && !file.startsWith(`${server}testing/`))
    .filter((file) => !Object.keys(exceptions).some((allowed) => file.startsWith(server + allowed)));
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((file) => findDirect(readFileSync(join(project, file), 'utf8')).length > 0);
  expect(found).toEqual([]);
});

test('the rule for transactions finds one that is started on the pool, also across lines, and no savepoint', () => {
  expect(findDirect('await database.transaction(async (transaction) => {})')).toEqual(['database']);
  expect(findDirect('dependencies.database\n  .transaction(work)')).toEqual(['database']);
  expect(findDirect('await transaction.transaction((savepoint) => work(savepoint))')).toEqual([]);
  expect(findDirect('await runTransaction(database, work)')).toEqual([]);
});
