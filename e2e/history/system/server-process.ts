import { fileURLToPath } from 'node:url';
import { connectDatabase } from '../../../apps/server/src/adapters/postgres/connect.ts';
import { openDatabaseForServer } from '../../../apps/server/src/adapters/postgres/open-database.ts';
import { payableSearches } from '../../../apps/server/src/case-file/searches/payable-searches.ts';
import { compose } from '../../../apps/server/src/composition/compose.ts';
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
  // The simulator sometimes does not answer; the production timeout of ten seconds would take too long here.
  const stripe = settings.payments.stripe;
  if (stripe) Object.assign(stripe.client, { timeout: 1_000 });
  const opened = await openDatabaseForServer(settings);
  if (process.env.HISTORY_WITHOUT_LOCK) removeSearchLock(opened.url);
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

/** For the control run: starting a payment locks its search in a separate transaction that commits immediately. */
function removeSearchLock(url: string) {
  const { lock } = payableSearches;
  const { database } = connectDatabase({ url });
  payableSearches.lock = (_transaction, query) =>
    database.transaction((transaction) => lock(transaction, query));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
