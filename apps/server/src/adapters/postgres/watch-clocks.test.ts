import { randomBytes } from 'node:crypto';
import { buildClient, buildSession, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { createSessions } from '../../people/clients/sessions.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import { watchClocks } from './watch-clocks.ts';

const testDatabase = withTestDatabase();
const minute = 60_000;

/** The clocks of a server whose clock is `ahead` milliseconds ahead of the database’s. */
async function watchServer(ahead: number) {
  const alerts: unknown[] = [];
  const server = { ahead, elapsed: 0 };
  const now = () => Date.now() + server.ahead;
  const watch = watchClocks({
    pool: testDatabase.pool,
    clock: () => new Date(now()),
    alertOperator: (message) => alerts.push(message),
    onError: (error) => alerts.push(error),
    now,
    elapsed: () => server.elapsed,
  });
  await watch.compare();
  return { ...watch, alerts, server };
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
  ['a clock that is 20 minutes behind', -20, -1, true],
])(
  'fault 47: on a server with %s (%i minutes), whether a session that ends in %i minutes is accepted is %s',
  async (_what, ahead, minutes, isAccepted) => {
    const { laterClock: clock } = await watchServer(ahead * minute);
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

test.each([
  ['is corrected', 0, 0],
  ['is corrected a little later', 0, 30_000],
  ['is set back by four more minutes', -14 * minute, 0],
])(
  'fault 47: a server that was ten minutes behind uses the right time at once after its clock %s',
  async (_what, ahead, elapsed) => {
    const { laterClock, server } = await watchServer(-10 * minute);
    Object.assign(server, { ahead: ahead + elapsed, elapsed });
    const difference = laterClock().getTime() - (Date.now() + elapsed);
    expect(Math.abs(difference)).toBeLessThan(2_000);
  },
);

test('fault 47: a deletion that depends on the time does not run after a fail-over to a wrong clock, with an alert', async () => {
  const { allowsDeletion, alerts, server } = await watchServer(0);
  expect(await allowsDeletion('the removal of unused files')).toBe(true);
  server.ahead = -10 * minute;
  expect(await allowsDeletion('the removal of unused files')).toBe(false);
  expect(alerts).toContainEqual(
    expect.stringMatching(/^the removal of unused files did not run: .*600 seconds behind/),
  );
});
