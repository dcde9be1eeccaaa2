import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { buildProgram } from './build-program.ts';
import { readCpuTime, readPostmaster } from './cpu-time.ts';
import { addManyPayers, type PaymentToStart } from './many-payers.ts';
import { createFloor } from './measure-floor.ts';
import type { FromServer } from './system/server-process.ts';
import { startWorld, type World } from './system/start-system.ts';

/** The rate and latency of starting payments with a number of concurrent clients, as medians of all rounds. */
export interface PaymentsMeasured {
  clients: number;
  /** Intents created per second. */
  perSecond: number;
  /** The rate of Stripe's SDK and one insert alone, measured directly before or after. */
  floorPerSecond: number;
  /** `perSecond` divided by `floorPerSecond` of the same round. */
  share: number;
  /** The same as `floorPerSecond`, with the two writes that no correct server can leave out. */
  twoWritesPerSecond: number;
  /** Payments per second of the bare server, which receives and authenticates a request and makes the two writes. */
  barePerSecond: number;
  /** Milliseconds from request to answer. */
  median: number;
  p99: number;
  /** Milliseconds of CPU time per payment; null where they cannot be read. */
  serverCpu: number | null;
  postgresCpu: number | null;
  bareServerCpu: number | null;
  barePostgresCpu: number | null;
}

export interface PaymentsMeasurement {
  /** The numbers of concurrent clients to measure. */
  clientCounts: readonly number[];
  rounds: number;
}

/** Milliseconds of each measurement. */
const measureFor = 2_000;
const warmUpFor = 4_000;
/** The number of payments that exist before the measurements. */
const warmUpPayments = 4_000;
/** The rate of payments per second for which enough searches are created. */
const maxPerSecond = 700;

/**
 * Measures starting a payment, from request to intent: one server with its default settings and a pool of 20
 * connections, an embedded PostgreSQL with `fsync`, and the Stripe simulator in a separate process. Each payment
 * belongs to a different client. In every round each number of clients is compared with the floor (Stripe's SDK
 * alone, which calls the same simulator, and one insert) and with a bare server in a separate process. @returns the
 * transactions of a payment, and the measurements for each number of clients
 */
export async function measurePayments({
  clientCounts,
  rounds,
}: PaymentsMeasurement): Promise<{ transactions: number; measured: PaymentsMeasured[] }> {
  const simulator = await startProgram('e2e/history/simulator-process.ts');
  try {
    const { url } = simulator;
    const world = await startWorld({
      clients: 1,
      searches: 1,
      servers: 1,
      stripeUrl: url,
      asInProduction: true,
    });
    const postgres = readPostmaster(world.database.directory);
    const [ours] = world.servers;
    const server = { url: ours?.url() ?? '', pid: ours?.pid() ?? 0, postgres };
    const bare = await startProgram('e2e/history/bare-server-process.ts', {
      STRIPE_URL: url,
      DATABASE_URL: world.databaseUrl,
    });
    try {
      const seconds = (rounds * clientCounts.length * measureFor + warmUpFor) / 1000;
      const payments = await addManyPayers(world, warmUpPayments + seconds * maxPerSecond);
      const payers = payments.slice(0, 1_000);
      const floor = await createFloor(url, world.databaseUrl);
      const measureBare = (clients: number) =>
        measure({ ...bare, postgres }, takeInTurn(payers), clients, measureFor);
      const transactions = await countTransactions(world, () => warmUp(server, payments));
      await floor.measure('insert', 4, warmUpFor);
      await measureBare(16);
      // Autovacuum does this within a minute. Query plans made for empty tables would read whole tables.
      await world.pool.query('analyze');
      const runs: RoundMeasured[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (const clients of clientCounts) {
          const floorFirst = round % 2 === 1 ? await floor.measure('insert', clients, measureFor) : null;
          const measured = await measure(server, takeOnce(payments), clients, measureFor);
          const floorPerSecond = floorFirst ?? (await floor.measure('insert', clients, measureFor));
          const twoWritesPerSecond = await floor.measure('two writes', clients, measureFor);
          const atBare = await measureBare(clients);
          runs.push({
            ...measured,
            floorPerSecond,
            twoWritesPerSecond,
            barePerSecond: atBare.perSecond,
            bareServerCpu: atBare.serverCpu,
            barePostgresCpu: atBare.postgresCpu,
          });
        }
      }
      await floor.stop();
      return { transactions, measured: clientCounts.map((clients) => summarise(runs, clients)) };
    } finally {
      bare.stop();
      await world.stop();
    }
  } finally {
    simulator.stop();
  }
}

/** Builds a program and runs it in a separate process until it is stopped. */
async function startProgram(source: string, env: NodeJS.ProcessEnv = {}) {
  const { program, remove } = await buildProgram(source);
  const child = fork(program, [], { execArgv: [], env: { ...process.env, ...env } });
  const { url } = await new Promise<FromServer>((done) => child.once('message', done));
  const stop = () => {
    child.kill();
    remove();
  };
  return { url, pid: child.pid ?? 0, stop };
}

/** A server under measurement, and the postmaster of its database. */
interface MeasuredServer {
  url: string;
  pid: number;
  postgres: number;
}

const takeOnce = (payments: PaymentToStart[]) => () => {
  const payment = payments.pop();
  if (!payment) throw new Error('all searches are paid for: add more');
  return payment;
};

/** For the bare server, which does not read the search. */
const takeInTurn = (payments: readonly PaymentToStart[]) => {
  let taken = 0;
  return () => {
    taken += 1;
    return payments[taken % payments.length] as PaymentToStart;
  };
};

async function warmUp(server: MeasuredServer, payments: PaymentToStart[]): Promise<void> {
  const until = payments.length - warmUpPayments;
  while (payments.length > until) await measure(server, takeOnce(payments), 16, warmUpFor / 4);
}

type RoundMeasured = Omit<PaymentsMeasured, 'share'>;

function summarise(runs: readonly RoundMeasured[], clients: number): PaymentsMeasured {
  const ofCount = runs.filter((run) => run.clients === clients);
  const medianOf = (read: (run: RoundMeasured) => number) => at(0.5, ofCount.map(read));
  const medianCpu = (read: (run: RoundMeasured) => number | null) =>
    ofCount.some((run) => read(run) === null) ? null : medianOf((run) => read(run) ?? 0);
  return {
    clients,
    perSecond: medianOf((run) => run.perSecond),
    floorPerSecond: medianOf((run) => run.floorPerSecond),
    share: medianOf((run) => run.perSecond / run.floorPerSecond),
    twoWritesPerSecond: medianOf((run) => run.twoWritesPerSecond),
    barePerSecond: medianOf((run) => run.barePerSecond),
    median: medianOf((run) => run.median),
    p99: medianOf((run) => run.p99),
    serverCpu: medianCpu((run) => run.serverCpu),
    postgresCpu: medianCpu((run) => run.postgresCpu),
    bareServerCpu: medianCpu((run) => run.bareServerCpu),
    barePostgresCpu: medianCpu((run) => run.barePostgresCpu),
  };
}

type StartsMeasured = Pick<
  PaymentsMeasured,
  'clients' | 'perSecond' | 'median' | 'p99' | 'serverCpu' | 'postgresCpu'
>;

/** Lets concurrent clients start payments for a time, each of them sequentially. */
async function measure(
  { url, pid, postgres }: MeasuredServer,
  takePayment: () => PaymentToStart,
  clients: number,
  duration: number,
): Promise<StartsMeasured> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const processes = {
    server: { pid, withChildren: false },
    postgres: { pid: postgres, withChildren: true },
  };
  const cpuBefore = { server: readCpuTime(processes.server), postgres: readCpuTime(processes.postgres) };
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - began < duration) {
        const payment = takePayment();
        const pressed = performance.now();
        await startPayment(agent, url, payment);
        times.push(performance.now() - pressed);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const cpuOf = (name: 'server' | 'postgres') => {
    const [before, after] = [cpuBefore[name], readCpuTime(processes[name])];
    return before === null || after === null ? null : (after - before) / times.length;
  };
  agent.destroy();
  return {
    clients,
    perSecond: times.length / seconds,
    median: at(0.5, times),
    p99: at(0.99, times),
    serverCpu: cpuOf('server'),
    postgresCpu: cpuOf('postgres'),
  };
}

/** Starts a payment with as little work as possible, because the caller shares the machine with the server. */
function startPayment(agent: Agent, url: string, { authorization, address, search }: PaymentToStart) {
  const body = JSON.stringify({ order_now: true, order_wording: '2026-12-unknown', own_card: true });
  return new Promise<void>((done, fail) => {
    const sent = request(
      `${url}/api/case-searches/${search}/payments`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'idempotency-key': search,
          'x-forwarded-for': address,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          if (response.statusCode === 200) done();
          else fail(new Error(`a payment did not start: ${text}`));
        });
      },
    );
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Returns a percentile: the value below which this share of the values is. */
function at(part: number, values: readonly number[]): number {
  const inOrder = [...values].sort((one, other) => one - other);
  return inOrder[Math.min(Math.floor(inOrder.length * part), inOrder.length - 1)] ?? 0;
}

/** Counts the transactions of each payment that `work` starts. */
async function countTransactions({ pool }: World, work: () => Promise<void>): Promise<number> {
  const committed = async () => {
    // PostgreSQL publishes a connection's statistics with up to a second's delay.
    await new Promise((done) => setTimeout(done, 1_100));
    const { rows } = await pool.query<{ committed: string; payments: string }>(
      `select xact_commit as committed, (select count(*) from payments) as payments
       from pg_stat_database where datname = current_database()`,
    );
    return { transactions: Number(rows[0]?.committed), payments: Number(rows[0]?.payments) };
  };
  const before = await committed();
  await work();
  const after = await committed();
  return (after.transactions - before.transactions) / (after.payments - before.payments);
}
