import { randomUUID } from 'node:crypto';
import pg from 'pg';
import Stripe from 'stripe';

/**
 * The steps that set the minimum cost of a payment. `insert`: Stripe's SDK creates an intent, and one row is
 * inserted. `two writes`: the row is inserted before the call to Stripe and gets the intent's id afterwards, which no
 * correct server can leave out.
 */
export type FloorKind = 'insert' | 'two writes';

export interface Floor {
  /**
   * Runs the steps repeatedly.
   * @param clients how many run at the same time
   * @param duration in milliseconds
   * @returns how often all steps were completed per second
   */
  measure(kind: FloorKind, clients: number, duration: number): Promise<number>;
  stop(): Promise<void>;
}

/** Prepares the steps of the floor, with as many connections as a server has. Each returns the client secret. */
export async function createFloorSteps(
  stripeUrl: string,
  databaseUrl: string,
): Promise<{ pool: pg.Pool; steps: Record<FloorKind, (id: string) => Promise<string | null>> }> {
  const { hostname, port } = new URL(stripeUrl);
  const stripe = new Stripe('rk_test_simulated', {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  pool.on('error', () => {});
  await pool.query('create table if not exists bench_floor (id uuid primary key, intent text)');
  const createIntent = (id: string) =>
    stripe.paymentIntents.create(
      { amount: 18_050, currency: 'gbp', metadata: { payment_id: id } },
      { idempotencyKey: id },
    );
  const steps: Record<FloorKind, (id: string) => Promise<string | null>> = {
    insert: async (id) => {
      const intent = await createIntent(id);
      await pool.query('insert into bench_floor (id, intent) values ($1, $2)', [id, intent.id]);
      return intent.client_secret;
    },
    'two writes': async (id) => {
      await pool.query('insert into bench_floor (id) values ($1)', [id]);
      const intent = await createIntent(id);
      await pool.query('update bench_floor set intent = $2 where id = $1', [id, intent.id]);
      return intent.client_secret;
    },
  };
  return { pool, steps };
}

export async function createFloor(stripeUrl: string, databaseUrl: string): Promise<Floor> {
  const { pool, steps } = await createFloorSteps(stripeUrl, databaseUrl);
  return {
    measure: async (kind, clients, duration) => {
      const began = performance.now();
      let count = 0;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (performance.now() - began < duration) {
            await steps[kind](randomUUID());
            count += 1;
          }
        }),
      );
      return count / ((performance.now() - began) / 1000);
    },
    stop: () => pool.end(),
  };
}
