import { randomUUID } from 'node:crypto';
import pg from 'pg';
import Stripe from 'stripe';

/** What a payment costs at least: Stripe's SDK creates an intent, and one row is inserted. */
export interface Floor {
  /**
   * Runs the two steps repeatedly.
   * @param clients how many run at the same time
   * @param duration in milliseconds
   * @returns how often both were done per second
   */
  measure(clients: number, duration: number): Promise<number>;
  stop(): Promise<void>;
}

/** Prepares the floor with as many connections as a server has. */
export async function createFloor(stripeUrl: string, databaseUrl: string): Promise<Floor> {
  const { hostname, port } = new URL(stripeUrl);
  const stripe = new Stripe('rk_test_simulated', {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  await pool.query('create table if not exists bench_floor (id uuid primary key, intent text not null)');
  const startPayment = async () => {
    const id = randomUUID();
    const intent = await stripe.paymentIntents.create(
      { amount: 18_050, currency: 'gbp', metadata: { payment_id: id } },
      { idempotencyKey: id },
    );
    await pool.query('insert into bench_floor (id, intent) values ($1, $2)', [id, intent.id]);
  };
  return {
    measure: async (clients, duration) => {
      const began = performance.now();
      let count = 0;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (performance.now() - began < duration) {
            await startPayment();
            count += 1;
          }
        }),
      );
      return count / ((performance.now() - began) / 1000);
    },
    stop: () => pool.end(),
  };
}
