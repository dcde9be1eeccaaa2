import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCase, buildClient } from '@keyturn/testkit/builders.ts';
import {
  type StripeSimulator,
  startStripeSimulator,
} from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import { createRunningClock, type TestClock } from '@keyturn/testkit/test-clock.ts';
import pg from 'pg';
import { connectDatabase } from '../../apps/server/src/adapters/postgres/connect.ts';
import {
  type EmbeddedCluster,
  startEmbeddedCluster,
} from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { migrate } from '../../apps/server/src/adapters/postgres/migrate.ts';
import { hashPassword } from '../../apps/server/src/features/sign-in/passwords.ts';
import { installation } from '../../apps/server/src/platform/tables/tables.ts';
import { buildProgram } from './build-program.ts';
import { restartDatabase } from './restart-database.ts';
import { createServerProcess, type ServerProcess } from './server-processes.ts';

/** Two servers on one database, the Stripe simulator, and a firm whose clients have searches to pay for. */
export interface World {
  servers: ServerProcess[];
  simulator: StripeSimulator;
  /** Shared by the servers, the database and Stripe. */
  clock: TestClock;
  clients: { id: string; email: string; caseIds: string[] }[];
  searches: { id: string; caseId: string; price: number }[];
  pool: pg.Pool;
  databaseUrl: string;
  /** Moves all clocks forward. */
  jump(milliseconds: number): Promise<void>;
  restartDatabase(): Promise<void>;
  stop(): Promise<void>;
}

export const password = 'history-of-payments-2026';

export interface WorldOptions {
  clients: number;
  /** By default one for every three clients. */
  cases?: number | undefined;
  searches: number;
  /** For the control run: removes the unique index and the row lock that prevent a second payment. */
  withoutGuards?: boolean | undefined;
  /** By default two. */
  servers?: number;
  /** Milliseconds between two catch-up runs; by default 400. */
  catchUpEvery?: number;
  /** A simulator in another process; the built-in one is then unused. */
  stripeUrl?: string;
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-history-'));
  const cluster = await startEmbeddedCluster({ dataDirectory, maxConnections: 200 });
  const url = await createDatabase(cluster);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  await letTheClockJump(pool);
  const built = await buildFirm(url, options);
  if (options.withoutGuards) await takeIndexAway(pool);
  const { rows } = await pool.query<{ data_directory: string }>('show data_directory');
  const clusterDirectory = rows[0]?.data_directory ?? '';

  const clock = createRunningClock();
  const simulator = await startStripeSimulator(clock);
  const { program, remove } = await buildProgram('e2e/history/server-process.ts');
  const servers = ['a', 'b'].slice(0, options.servers).map((name) =>
    createServerProcess({
      program,
      env: {
        DATABASE_URL: url,
        LOG_LEVEL: 'error',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: join(dataDirectory, name),
        KEYTURN_SESSION_SECONDS: '604800',
        KEYTURN_IDLE_SECONDS: '43200',
        KEYTURN_OTHER_PAYMENT_DAILY_MAX_PENCE: '99999999',
        // A history has more payments than real clients make, all from one address.
        KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000000',
        KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000000',
        KEYTURN_CARD_DECLINES_PER_CLIENT: '1000000',
        KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000000',
        KEYTURN_REQUESTS_PER_ADDRESS: '1000000',
        KEYTURN_CHANGES_PER_CLIENT: '1000000',
        ...stripeSettings({ ...simulator, url: options.stripeUrl ?? simulator.url }),
        ...(options.catchUpEvery ? { HISTORY_CATCH_UP_EVERY: String(options.catchUpEvery) } : {}),
        ...(options.withoutGuards ? { HISTORY_WITHOUT_LOCK: '1' } : {}),
      },
    }),
  );
  await Promise.all(servers.map((server) => server.start()));

  let ahead = 0;
  return {
    servers,
    simulator,
    clock,
    ...built,
    pool,
    databaseUrl: url,
    jump: async (milliseconds) => {
      ahead += milliseconds;
      await untilDone(() => pool.query('update clock_ahead set ms = $1', [ahead]));
      clock.advance(milliseconds);
      for (const server of servers) server.setAhead(ahead);
    },
    restartDatabase: () => restartDatabase(clusterDirectory, url),
    stop: async () => {
      for (const server of servers) await server.kill();
      await pool.end();
      await cluster.stop();
      remove();
      rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      await simulator.stop();
    },
  };
}

async function createDatabase(cluster: EmbeddedCluster): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await client.connect();
  await client.query('create database history');
  await client.end();
  const url = cluster.urlOf('history');
  await migrate(url);
  return url;
}

/** Shadows PostgreSQL's `now()`, so that the database's clock moves with the servers'. */
async function letTheClockJump(pool: pg.Pool) {
  await pool.query('create table clock_ahead (ms bigint not null)');
  await pool.query('insert into clock_ahead values (0)');
  await pool.query(`create function public.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + (select ms from public.clock_ahead) * interval '1 millisecond' $$`);
  await pool.query('alter database history set search_path = public, pg_catalog');
}

/** Widens the race window of the control run, because on a fast machine two payments rarely overlap. */
async function takeIndexAway(pool: pg.Pool) {
  await pool.query('drop index payments_one_per_search');
  await pool.query(`create function linger() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1); return new; end $$`);
  await pool.query('create trigger linger before insert on payments for each row execute function linger()');
}

/** Two or three clients share a case; every fourth client is on the next case, too. */
async function buildFirm(url: string, { clients: count, cases, searches: searchCount }: WorldOptions) {
  const connected = connectDatabase({ url, size: 4 });
  const { database } = connected;
  const firm = {
    name: 'Alder & Finch',
    sra_number: '1',
    phone: '01632 960000',
    address: [],
    opening_hours: '',
    vat_number: null,
    order_cutoff: '15:00',
    closed_on: [],
  };
  await database.update(installation).set({ firm, contents: 'real' });
  const passwordHash = await hashPassword(password);
  const people = [];
  for (let index = 0; index < count; index += 1) {
    const email = `client${index}@example.test`;
    const { id } = await buildClient(database, { email, firstName: `Client${index}`, passwordHash });
    people.push({ id, email, caseIds: [] as string[] });
  }
  const caseCount = cases ?? Math.ceil(count / 3);
  const searches: World['searches'] = [];
  for (let index = 0; index < caseCount; index += 1) {
    const owners = people.filter(
      (_, person) => person % caseCount === index || (person % 4 === 0 && (person + 1) % caseCount === index),
    );
    const prices = Array.from(
      { length: Math.ceil(searchCount / caseCount) },
      (_, number) => 10_000 + 500 * (number % 7),
    );
    const built = await buildCase(database, {
      clients: owners.map(({ id }) => ({ id })),
      matters: [{ searches: prices.map((priceNet) => ({ priceNet, priceVat: priceNet / 5 })) }],
    });
    for (const owner of owners) owner.caseIds.push(built.id);
    for (const [number, id] of (built.matters[0]?.searchIds ?? []).entries()) {
      const net = prices[number] ?? 0;
      searches.push({ id, caseId: built.id, price: net + net / 5 });
    }
  }
  await connected.close();
  return { clients: people, searches };
}

async function untilDone(work: () => Promise<unknown>) {
  for (;;) {
    try {
      await work();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
