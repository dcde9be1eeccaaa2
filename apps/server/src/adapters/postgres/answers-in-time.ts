import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectedDatabase } from './connect.ts';

/** Milliseconds. */
const timeout = 2_000;

/**
 * Tells whether the database answers within two seconds. Asks on a shared connection, as reads do, and on one of the pool,
 * as changes do.
 */
export const answersInTime = ({ pool, sharedConnections }: ConnectedDatabase): Promise<boolean> =>
  Promise.race([
    Promise.all([sharedConnections.read({ text: 'select 1' }), pool.query('select 1')]).then(
      () => true,
      () => false,
    ),
    pause(timeout, false, { ref: false }),
  ]);
