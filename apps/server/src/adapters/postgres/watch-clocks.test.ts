import { randomBytes } from 'node:crypto';
import { buildClient, buildSession, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { createSessions } from '../../features/sign-in/sessions.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import { watchClocks } from './watch-clocks.ts';

const testDatabase = withTestDatabase();
const minute = 60_000;

/** The clocks of a server whose clock is `ahead` milliseconds ahead of the database’s. */
async function watchServer(ahead: number) {
  const alerts: unknown[] = [];
  const now = () => Date.now() + ahead;
  const watch = watchClocks({
    pool: testDatabase.pool,
    clock: () => new Date(now()),
    alertOperator: (message) => alerts.push(message),
    onError: (error) => alerts.push(error),
    now,
  });
  await watch.compare();
  return { ...watch, alerts };
}

test.each([
  [0, null],
  [3_000, null],
  [-3_000, null],
  [10 * minute, '600 seconds ahead of the database’s'],
  [-10 * minute, '600 seconds behind the database’s'],
])(
  'fault 47: alerts once about a server whose clock is %i ms ahead of the database’s: %s',
  async (ahead, text) => {
    const watch = await watchServer(ahead);
    await watch.compare();
    expect(watch.alerts).toEqual(text === null ? [] : [expect.stringContaining(text)]);
    expect(watch.problem()).toEqual(text === null ? null : expect.stringContaining(text));
  },
);

test.each([
  ['a right clock', 0, 1, true],
  ['a right clock', 0, -1, false],
  ['a clock that is ten minutes behind', -10, 1, true],
  ['a clock that is ten minutes behind', -10, -1, false],
  ['a clock that is ten minutes ahead', 10, 11, true],
  ['a clock that is ten minutes ahead', 10, 9, false],
])(
  'fault 47: on a server with %s (%i minutes), whether a session that ends in %i minutes is accepted is %s',
  async (_what, ahead, minutes, isAccepted) => {
    const { clock } = await watchServer(ahead * minute);
    const { database } = testDatabase;
    const { id: clientId } = await buildClient(database);
    const token = `kt_${randomBytes(32).toString('base64url')}`;
    const expiresAt = new Date(Date.now() + minutes * minute);
    await buildSession(database, { tokenHash: hashToken(token), clientId, expiresAt });
    const sessions = createSessions({ database, clock, expiresIn: 43_200, idleAfter: 1_800 });
    const found = await sessions.authenticate(token, { touch: false });
    expect(found?.id ?? null).toBe(isAccepted ? clientId : null);
  },
);
