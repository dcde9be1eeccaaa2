import { expectedClearingDay } from '@keyturn/format/working-days';
import type pg from 'pg';
import { IntentNotFound } from '../../payments/ports/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import { newSandboxId } from './new-id.ts';
import { addAftermath } from './sandbox-disputes.ts';
import type { IntentChange } from './sandbox-outcomes.ts';
import { endRefund, refundsOfIntent } from './sandbox-refunds.ts';
import type { StoredSandboxIntent } from './stored-intent.ts';

/** Changes of the sandbox's intents. Each is one transaction, with the events that it stores for the webhook. */
export interface IntentTransactions {
  /** Runs work on an intent under a row lock. */
  withIntent<Result>(
    id: string,
    work: (client: pg.PoolClient, intent: StoredSandboxIntent) => Promise<Result>,
  ): Promise<Result>;
  /** Changes an intent, increments its version and stores an event about the change. */
  change(
    id: string,
    decide: (intent: StoredSandboxIntent) => IntentChange | null,
  ): Promise<StoredSandboxIntent>;
  /** Changes a refund, increments the version of its intent and stores an event about it. */
  changeRefund(
    intentId: string,
    refundId: string,
    status: 'succeeded' | 'failed' | 'canceled',
  ): Promise<void>;
}

/** @param changed called after every commit that stored an event to deliver */
export function createIntentTransactions(
  pool: pg.Pool,
  clock: Clock,
  changed: () => void,
): IntentTransactions {
  const withIntent: IntentTransactions['withIntent'] = async (id, work) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      // The lock needs a separate statement, because one that waits for the lock does not see refunds committed
      // meanwhile.
      await client.query('select from sandbox_intents where id = $1 for update', [id]);
      const intent = await findIntent(client, id);
      if (!intent) throw new IntentNotFound(`the sandbox has no intent ${id}`);
      const result = await work(client, intent);
      await client.query('commit');
      changed();
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  };

  return {
    withIntent,

    change: (id, decide) =>
      withIntent(id, async (client, intent) => {
        const decided = decide(intent);
        return decided ? storeChange(client, intent, decided, clock()) : intent;
      }),

    changeRefund: (intentId, refundId, status) =>
      withIntent(intentId, async (client, intent) => {
        if (!(await endRefund(client, refundId, status, clock()))) return;
        const type = status === 'failed' ? 'refund.failed' : 'refund.updated';
        await storeRefundEvent(client, intent, type, clock());
      }),
  };
}

export const selectIntents = `select *, (select available_at from sandbox_charges where intent_id = sandbox_intents.id),
  (select created_at from sandbox_charges where intent_id = sandbox_intents.id) as captured_at,
  ${refundsOfIntent} from sandbox_intents`;

export const findIntent = async (
  pool: Pick<pg.Pool, 'query'>,
  id: string,
): Promise<StoredSandboxIntent | undefined> =>
  (await pool.query<StoredSandboxIntent>(`${selectIntents} where id = $1`, [id])).rows[0];

/** Stores a change of an intent, the charge of a success, and an event for the webhook. */
async function storeChange(
  client: pg.PoolClient,
  intent: StoredSandboxIntent,
  decided: IntentChange,
  now: Date,
): Promise<StoredSandboxIntent> {
  const { rows } = await client.query<StoredSandboxIntent>(
    `update sandbox_intents set status = $2, pending_behaviour = $3, settles_at = $4, card_brand = $5,
       card_last4 = $6, error_code = $7, error_message = $8, version = version + 1, updated_at = $9,
       bank_token = $10, return_url = $11
     where id = $1 returning *`,
    [
      intent.id,
      decided.status,
      decided.pending ?? null,
      decided.settlesAt ?? null,
      decided.card?.brand ?? intent.card_brand,
      decided.card?.last4 ?? intent.card_last4,
      decided.error?.code ?? null,
      decided.error?.message ?? null,
      now,
      // The page's token is kept, so that a client who returns to the page is redirected to the firm.
      decided.bankPage?.token ?? intent.bank_token,
      decided.bankPage?.returnUrl ?? intent.return_url,
    ],
  );
  const available_at =
    decided.status !== 'succeeded'
      ? null
      : decided.clearsImmediately
        ? now
        : await findAvailability(client, now);
  const captured_at = available_at && now;
  const after = { ...(rows[0] as StoredSandboxIntent), available_at, captured_at, refunds: intent.refunds };
  if (available_at) {
    await client.query(
      'insert into sandbox_charges (id, intent_id, amount, created_at, available_at) values ($1, $2, $3, $4, $5)',
      [newSandboxId('ch'), intent.id, intent.amount, now, available_at],
    );
  }
  await storeEvent(client, after, eventTypes[decided.error ? 'refused' : decided.status], now);
  if (decided.aftermath) await addAftermath(client, intent.id, decided.aftermath, now);
  return after;
}

async function storeEvent(
  client: pg.PoolClient,
  { id: intent, version }: Pick<StoredSandboxIntent, 'id' | 'version'>,
  type: string,
  now: Date,
): Promise<void> {
  const id = newSandboxId('evt');
  await client.query(
    `insert into sandbox_events (id, intent_id, type, body, created_at, next_attempt_at) values ($1, $2, $3, $4, $5, $5)`,
    [id, intent, type, JSON.stringify({ id, type, intent, version }), now],
  );
}

/** Increments the version of an intent whose refund has changed, and stores an event about it. */
export async function storeRefundEvent(
  client: pg.PoolClient,
  { id, version }: StoredSandboxIntent,
  type: string,
  now: Date,
): Promise<void> {
  await client.query('update sandbox_intents set version = $2, updated_at = $3 where id = $1', [
    id,
    version + 1,
    now,
  ]);
  await storeEvent(client, { id, version: version + 1 }, type, now);
}

/** Returns when the money of a card payment becomes available: at the start of the third working day. */
async function findAvailability(client: pg.PoolClient, now: Date): Promise<Date> {
  const { rows } = await client.query<{ days: string[] }>('select bank_holiday_days() as days');
  return new Date(`${expectedClearingDay(now, rows[0]?.days ?? [])}T00:00:00Z`);
}

const eventTypes = {
  refused: 'payment_intent.payment_failed',
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
} as const;
