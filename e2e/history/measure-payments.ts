import { fork } from 'node:child_process';
import { buildProgram } from './build-program.ts';
import { createFloor } from './measure-floor.ts';
import { password } from './system/build-firm.ts';
import type { FromServer } from './system/server-process.ts';
import { startWorld, type World } from './system/start-system.ts';

/** How fast payments start with a number of concurrent clients. */
export interface PaymentsMeasured {
  clients: number;
  /** Intents created per second. */
  perSecond: number;
  /** What Stripe's SDK and one insert alone do per second, measured directly afterwards. */
  floorPerSecond: number;
  /** Milliseconds from request to answer. */
  median: number;
  p99: number;
  /** Database statements per intent. */
  transactions: number;
}

/** Milliseconds per number of clients; the first is preceded by a warm-up of the same length. */
const measureFor = 4_000;
const warmUpFor = 2_000;
const searchesOfEach = 800;

/**
 * Measures starting a payment, from request to intent: one server with a pool of 20 connections, an embedded PostgreSQL with
 * `fsync`, and the Stripe simulator in a separate process. Each number of clients is followed by the floor: the same
 * simulator called by Stripe's SDK alone, and one insert.
 */
export async function measurePayments(
  clientCounts: readonly number[],
  tell: (measured: PaymentsMeasured) => void,
): Promise<void> {
  const { program, remove } = await buildProgram('e2e/history/simulator-process.ts');
  const simulator = fork(program, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const most = Math.max(...clientCounts);
  try {
    const { url } = await new Promise<FromServer>((done) => simulator.once('message', done));
    const world = await startWorld({
      clients: most,
      cases: most,
      searches: most,
      servers: 1,
      stripeUrl: url,
    });
    try {
      await multiplySearches(world);
      const payers = await Promise.all(world.clients.map((_, client) => signIn(world, client)));
      await measure(world, payers.slice(0, 4), warmUpFor);
      const floor = await createFloor(url, world.databaseUrl);
      for (const count of clientCounts) {
        const measured = await measure(world, payers.slice(0, count), measureFor);
        tell({ ...measured, floorPerSecond: await floor.measure(count, measureFor) });
      }
      await floor.stop();
    } finally {
      await world.stop();
    }
  } finally {
    simulator.kill();
    remove();
  }
}

interface Payer {
  authorization: string;
  searches: string[];
}

/** Adds searches to pay for, as copies of each case's search. */
async function multiplySearches({ pool }: World) {
  await pool.query(
    `insert into case_searches
     select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'reference', s.reference || '-' || n))).*
     from case_searches s, generate_series(1, $1) n`,
    [searchesOfEach],
  );
}

async function signIn({ pool, servers, clients }: World, client: number): Promise<Payer> {
  const { email, caseIds } = clients[client] ?? { email: '', caseIds: [] };
  const response = await fetch(`${servers[0]?.url()}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await response.json()) as { data: { access_token: string } };
  const { rows } = await pool.query<{ id: string }>(
    'select s.id from case_searches s join matters m on m.id = s.matter_id where m.case_id = $1',
    [caseIds[0]],
  );
  return { authorization: `Bearer ${data.access_token}`, searches: rows.map(({ id }) => id) };
}

async function measure(
  world: World,
  payers: Payer[],
  duration: number,
): Promise<Omit<PaymentsMeasured, 'floorPerSecond'>> {
  const times: number[] = [];
  const committed = await transactionsOf(world);
  const began = performance.now();
  const over = () => performance.now() - began > duration;
  await Promise.all(
    payers.map(async ({ authorization, searches }) => {
      for (let search = searches.pop(); search && !over(); search = searches.pop()) {
        const pressed = performance.now();
        const response = await fetch(`${world.servers[0]?.url()}/api/case-searches/${search}/payments`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', 'idempotency-key': search },
          body: JSON.stringify({ order_now: true, own_card: true }),
        });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`a payment did not start: ${text}`);
        times.push(performance.now() - pressed);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const transactions = (await transactionsOf(world)) - committed;
  const inOrder = times.sort((one, other) => one - other);
  const at = (part: number) => inOrder[Math.min(Math.floor(inOrder.length * part), inOrder.length - 1)] ?? 0;
  return {
    clients: payers.length,
    perSecond: times.length / seconds,
    median: at(0.5),
    p99: at(0.99),
    transactions: transactions / times.length,
  };
}

async function transactionsOf({ pool }: World): Promise<number> {
  // PostgreSQL publishes a connection's statistics with up to a second's delay.
  await new Promise((done) => setTimeout(done, 1_100));
  const { rows } = await pool.query<{ committed: string }>(
    'select xact_commit as committed from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.committed);
}
