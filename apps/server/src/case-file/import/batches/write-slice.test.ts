import { setImmediate } from 'node:timers/promises';
import {
  buildFirm,
  buildRegulation,
  createImportDependencies,
  createTestFiles,
  withTestDatabase,
} from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { expect, test } from 'vitest';
import { importFeed } from '../../../doors/import/import-feed.ts';

const testDatabase = withTestDatabase();

test('an import has few passwords checked and hashed at the same time, so that people who choose one do not wait for all of them', async () => {
  let running = 0;
  let maxRunning = 0;
  const during = async <Result>(result: Result): Promise<Result> => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await setImmediate();
    running -= 1;
    return result;
  };
  const clients = Array.from({ length: 250 }, (_, index) => ({
    reference: `C${index}`,
    first_name: 'Ada',
    last_name: 'Byrne',
    email: `ada.${index}@example.test`,
    password: 'turn-the-key-2026',
  }));
  const dependencies = createImportDependencies(
    { database: testDatabase.database, files: createTestFiles() },
    { checkPassword: () => during([]), hashPassword: (password) => during(`hash of ${password}`) },
  );
  const { format, as_of } = fixtureFeed;
  const feed = { format, as_of, clients };
  await buildFirm(testDatabase.database);
  await buildRegulation(testDatabase.database);
  const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
  expect(await importFeed(dependencies, { feed, folder: '.', as: 'real', actor })).toMatchObject({
    created: 250,
    rejected: [],
  });
  expect(maxRunning).toBe(3);
});
