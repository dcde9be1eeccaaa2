import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import { createRunningClock, type TestClock } from '@keyturn/testkit/test-clock.ts';
import type pg from 'pg';
import { startEmbeddedCluster } from '../../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { shareDocuments } from '../../harness/start-product.ts';
import { buildProgram } from '../build-program.ts';
import { type BuiltFirm, buildFirm, type FirmOptions } from './build-firm.ts';
import { type CommandProcess, createCommandProcess } from './command-processes.ts';
import { type HistoryDatabase, openHistoryDatabase } from './database.ts';
import { createServerProcess, type ServerProcess } from './server-processes.ts';

/** Two servers on one database, the Stripe simulator, and a firm whose clients have searches to pay for. */
export interface World extends BuiltFirm {
  servers: ServerProcess[];
  /** Runs the firm's `keyturn` commands. */
  firm: CommandProcess;
  simulator: StripeSimulator;
  /** Shared by the servers, the commands, the database and Stripe. */
  clock: TestClock;
  /** The intents of approved payments by bank whose money never arrives. */
  unfunded: Set<string>;
  /** The net price of each search whose price the feed has changed, in pence. */
  importedPrices: Map<string, number>;
  database: HistoryDatabase;
  pool: pg.Pool;
  databaseUrl: string;
  /** Moves all clocks forward. */
  jump(milliseconds: number): void;
  stop(): Promise<void>;
}

export interface WorldOptions extends FirmOptions {
  /** For the control run: removes the unique index and the row lock that prevent a second payment. */
  withoutGuards?: boolean | undefined;
  /** The number of servers; two by default. */
  servers?: number;
  /** Milliseconds between two catch-up runs; by default 400. */
  catchUpEvery?: number;
  /** A simulator in another process, which replaces the built-in one. */
  stripeUrl?: string;
  /** For measurements: the default limits and intervals, and a clock that cannot be moved. */
  asInProduction?: boolean;
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-history-'));
  const cluster = await startEmbeddedCluster({ dataDirectory, maxConnections: 200 });
  const database = await openHistoryDatabase(cluster, { isClockFixed: options.asInProduction });
  const { pool, url } = database;
  const built = await buildFirm(url, options);
  if (options.withoutGuards) await takeIndexAway(pool);

  const clock = createRunningClock();
  const simulator = await startStripeSimulator(clock);
  const { program, remove } = await buildProgram('e2e/history/system/server-process.ts');
  // Built when the first command runs, because most of the crash tests run none.
  let commandProgram: ReturnType<typeof buildProgram> | undefined;
  const shared = sharedSettings(url, simulator, options);
  const servers = ['a', 'b'].slice(0, options.servers).map((name) => {
    const ownDirectory = join(dataDirectory, name);
    shareDocuments(ownDirectory, join(dataDirectory, 'shared-documents'));
    return createServerProcess({
      program,
      env: {
        ...shared,
        ...(options.asInProduction ? productionSettings : historySettings),
        KEYTURN_DATA_DIR: ownDirectory,
        HISTORY_CATCH_UP_EVERY: String(options.catchUpEvery ?? (options.asInProduction ? 30_000 : 400)),
        ...(options.withoutGuards ? { HISTORY_WITHOUT_LOCK: '1' } : {}),
      },
    });
  });
  const firm = createCommandProcess({
    program: async () => {
      commandProgram ??= buildProgram('e2e/history/system/command-process.ts');
      return (await commandProgram).program;
    },
    env: { ...shared, KEYTURN_DATA_DIR: join(dataDirectory, 'commands') },
  });
  await Promise.all(servers.map((server) => server.start()));

  let ahead = 0;
  return {
    servers,
    firm,
    simulator,
    clock,
    ...built,
    unfunded: new Set(),
    importedPrices: new Map(),
    database,
    pool,
    databaseUrl: url,
    jump: (milliseconds) => {
      ahead += milliseconds;
      database.setAhead(ahead);
      clock.advance(milliseconds);
      for (const process of [...servers, firm]) process.setAhead(ahead);
    },
    stop: async () => {
      await firm.kill();
      for (const server of servers) await server.kill();
      await pool.end();
      await cluster.stop();
      remove();
      (await commandProgram)?.remove();
      rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      await simulator.stop();
    },
  };
}

const sharedSettings = (url: string, simulator: StripeSimulator, { stripeUrl }: WorldOptions) => ({
  DATABASE_URL: url,
  LOG_LEVEL: 'error',
  KEYTURN_ENVIRONMENT: 'test',
  KEYTURN_DEMONSTRATION: 'off',
  // Some of the refunds need two people.
  KEYTURN_REFUND_APPROVAL_PENCE: '3000',
  KEYTURN_BANK_PURPOSES: 'search,money_on_account',
  ...stripeSettings({ ...simulator, url: stripeUrl ?? simulator.url }),
  // This key can be rolled.
  ...(stripeUrl ? {} : { KEYTURN_STRIPE_SECRET_KEY: simulator.secretKey }),
});

/** A history has more requests than real clients make, all from one address. */
const historySettings = {
  KEYTURN_SESSION_SECONDS: '604800',
  KEYTURN_IDLE_SECONDS: '43200',
  KEYTURN_OTHER_PAYMENT_DAILY_MAX_PENCE: '99999999',
  KEYTURN_BANK_PAYMENT_DAILY_MAX_PENCE: '99999999',
  KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000000',
  KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000000',
  KEYTURN_CARD_DECLINES_PER_CLIENT: '1000000',
  KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000000',
  KEYTURN_REQUESTS_PER_ADDRESS: '1000000',
  KEYTURN_CHANGES_PER_CLIENT: '1000000',
};

/** The caller sets the address of each client. */
const productionSettings = { KEYTURN_TRUSTED_PROXIES: '1' };

/** Widens the race window of the control run, because on a fast machine two payments rarely overlap. */
async function takeIndexAway(pool: pg.Pool) {
  await pool.query('drop index payments_one_per_search');
  await pool.query(`create function linger() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1); return new; end $$`);
  await pool.query('create trigger linger before insert on payments for each row execute function linger()');
}
