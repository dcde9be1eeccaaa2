import { createTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { connectDatabase } from '../../../adapters/postgres/connect.ts';
import { lockImports } from '../feed-store.ts';
import { FeedBusy } from '../read-feed.ts';
import type { BatchTarget, SentChange } from './batch-context.ts';
import { writeChanges } from './write-changes.ts';

test('fault 34: a batch that waits too long for another import is rejected once, not half by half', async () => {
  const testDatabase = await createTestDatabase();
  const { database, close } = connectDatabase({ url: testDatabase.url, size: 2 });
  let attempts = 0;
  const target = {
    inTransaction: () =>
      database.transaction(async (transaction) => {
        attempts += 1;
        await transaction.execute("set local lock_timeout = '50ms'");
        await lockImports(transaction);
      }),
  } as unknown as BatchTarget;
  const changes = Array.from({ length: 4 }, (_, index) => ({ index }) as SentChange);
  const settled: number[] = [];
  await database.transaction(async (other) => {
    await lockImports(other);
    const writing = writeChanges(target, 'clients', changes, (index) => settled.push(index));
    await expect(writing).rejects.toBeInstanceOf(FeedBusy);
  });
  expect({ attempts, settled }).toEqual({ attempts: 1, settled: [] });
  await close();
  await testDatabase.drop();
});
