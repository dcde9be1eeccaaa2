import { afterEach, expect, test } from 'vitest';
import { createCatchUp } from './catch-up.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a catch-up with a database at a position that the test sets, or one that does not answer. */
async function startCatchUp({ silence = 3_600_000 } = {}) {
  const log: string[] = [];
  const database: { oldest: bigint | null } = { oldest: 10n };
  const catchUp = createCatchUp({
    events: {
      onCheck: ({ oldestTransaction }) => log.push(`check ${oldestTransaction}`),
      replay: ({ oldestTransaction }, channels) => log.push(`replay ${channels} until ${oldestTransaction}`),
    },
    readPosition: async () => {
      if (database.oldest === null) throw new Error('the database does not answer');
      return { timeline: '1', oldestTransaction: database.oldest };
    },
    listChannels: () => ['status'],
    silence,
    onError: () => log.push('error'),
  });
  stops.push(catchUp.stop);
  await catchUp.start();
  const receive = (term: string, oldestTransaction: bigint) =>
    catchUp.onPosition({ term, timeline: '1', oldestTransaction });
  return { catchUp, log, database, receive };
}

test('a server reads the events it missed when a relay’s term starts and after a gap', async () => {
  const { catchUp, log, receive } = await startCatchUp();
  receive('first', 11n);
  receive('first', 12n);
  receive('second', 13n);
  catchUp.onGap();
  receive('second', 14n);
  receive('second', 14n);
  expect(log).toEqual([
    'check 10',
    'replay status until 11',
    'check 12',
    'replay status until 13',
    'replay status until 14',
    'check 14',
  ]);
});

test('ignores a position that is older than the last one', async () => {
  const { log, receive } = await startCatchUp();
  receive('first', 20n);
  receive('second', 19n);
  expect(log).toEqual(['check 10', 'replay status until 20']);
});

test('reads events repeatedly while there are no positions, even if the database did not answer before', async () => {
  const { log, database } = await startCatchUp({ silence: 20 });
  database.oldest = 11n;
  await expect
    .poll(() => log.slice(0, 4))
    .toEqual(['check 10', 'replay status until 11', 'check 11', 'replay status until 11']);
  database.oldest = null;
  await expect.poll(() => log.at(-1)).toBe('error');
  database.oldest = 12n;
  await expect.poll(() => log.at(-1)).toBe('replay status until 12');
});
