import { fileURLToPath } from 'node:url';
import { openDatabaseForServer } from '../../../apps/server/src/adapters/postgres/open-database.ts';
import { compose } from '../../../apps/server/src/composition/compose.ts';
import { payableSearches } from '../../../apps/server/src/features/searches/payable-searches.ts';
import { readSettings } from '../../../apps/server/src/settings/read-settings.ts';
import type { ClockMessage } from './fork-program.ts';

export type FromServer = { url: string };

/**
 * Runs the production server with a clock that the parent moves, in a process that can be killed. Everything else
 * matches `main.ts`.
 */
async function main() {
  let ahead = Number(process.env.HISTORY_AHEAD ?? 0);
  process.on('message', (message: ClockMessage) => {
    ahead = message.ahead;
  });
  process.on('disconnect', () => process.exit(0));
  const projectDirectory =
    process.env.HISTORY_PROJECT ?? fileURLToPath(new URL('../../../', import.meta.url));
  const settings = readSettings(process.env, projectDirectory);
  if (process.env.HISTORY_WITHOUT_LOCK) takeLockAway();
  // The simulator sometimes does not answer; the production timeout of ten seconds would take too long here.
  const stripe = settings.payments.stripe;
  if (stripe) Object.assign(stripe.client, { timeout: 1_000 });
  const opened = await openDatabaseForServer(settings);
  const keyturn = await compose({
    settings,
    databaseUrl: opened.url,
    projectDirectory,
    version: '0.0.0',
    clock: () => new Date(Date.now() + ahead),
    catchUpEvery: Number(process.env.HISTORY_CATCH_UP_EVERY ?? 400),
  });
  const url = await keyturn.listen();
  process.send?.({ url } satisfies FromServer);
}

/** For the control run: starting a payment reads the search without a row lock. */
function takeLockAway() {
  const { lock } = payableSearches;
  payableSearches.lock = (transaction, of) => {
    const unlocked = new Proxy(transaction, {
      get: (target, name) =>
        name === 'select'
          ? (...columns: Parameters<typeof transaction.select>) => withoutFor(target.select(...columns))
          : Reflect.get(target, name),
    });
    return lock(unlocked, of);
  };
}

/** A query whose `.for('update')` does nothing. */
function withoutFor<Query extends object>(query: Query): Query {
  return new Proxy(query, {
    get: (target, name) => {
      if (name === 'for') return () => target;
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const next = member.apply(target, given);
        return name !== 'then' && typeof next === 'object' && next !== null ? withoutFor(next) : next;
      };
    },
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
