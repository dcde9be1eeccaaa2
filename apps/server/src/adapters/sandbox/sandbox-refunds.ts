import type pg from 'pg';
import { RefundRefused } from '../../payments/ports/refunds.ts';
import { newSandboxId } from './new-id.ts';
import type { StoredRefund, StoredSandboxIntent } from './stored-intent.ts';

export interface SandboxRefundTerms {
  amount: number;
  reason: string;
  /** Our request, for the metadata; absent for a refund that is made in the provider's own dashboard. */
  requestId?: string;
  idempotencyKey: string;
}

/** Seconds until the bank decides about a pending refund. */
const settlementDelay = 10;

/** SQL for the refunds of an intent as a JSON array, oldest first. */
export const refundsOfIntent = `coalesce((select json_agg(to_jsonb(r) - 'idempotency_key' order by r.created_at, r.id)
  from sandbox_refunds r where r.intent_id = sandbox_intents.id), '[]') as refunds`;

/**
 * Refunds a locked intent.
 * @returns the id of the refund
 * @throws RefundRefused if the amount exceeds the unrefunded rest, or nothing was paid
 */
export async function insertSandboxRefund(
  client: pg.PoolClient,
  intent: StoredSandboxIntent,
  { amount, reason, requestId, idempotencyKey }: SandboxRefundTerms,
  now: Date,
): Promise<string> {
  if (intent.status !== 'succeeded') throw new RefundRefused('payment_intent_unexpected_state');
  const left = intent.amount - sumOf(intent.refunds.filter(({ status }) => /pending|succeeded/.test(status)));
  if (left === 0) throw new RefundRefused('charge_already_refunded');
  if (amount > left) throw new RefundRefused('amount_too_large');
  const isSlow = intent.pending_behaviour === 'refund_settles_later';
  const isReturned = intent.pending_behaviour === 'refund_fails';
  const settlesAt = new Date(now.getTime() + settlementDelay * 1000);
  const id = newSandboxId('re');
  await client.query(
    `insert into sandbox_refunds
       (id, intent_id, idempotency_key, amount, status, reason, metadata, settles_at, paid_out_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      id,
      intent.id,
      idempotencyKey,
      amount,
      isSlow ? 'pending' : 'succeeded',
      reason,
      JSON.stringify(requestId === undefined ? {} : { refund_id: requestId }),
      isSlow || isReturned ? settlesAt : null,
      isSlow ? null : now,
      now,
    ],
  );
  return id;
}

/** Changes a refund of a locked intent. @returns false if it was already final */
export async function endRefund(
  client: pg.PoolClient,
  id: string,
  status: 'succeeded' | 'failed' | 'canceled',
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update sandbox_refunds set status = $2, failure_reason = $3, settles_at = null, updated_at = $4,
       paid_out_at = case when $2 = 'succeeded' then $4 else paid_out_at end
     where id = $1 and status <> $2 and status not in ('failed', 'canceled')`,
    [id, status, status === 'failed' ? 'lost_or_stolen_card' : null, now],
  );
  return rowCount === 1;
}

/** Finds a refund by its key, or by its id. */
export async function findSandboxRefund(
  on: Pick<pg.Pool, 'query'>,
  column: 'idempotency_key' | 'id',
  value: string,
): Promise<StoredRefund | undefined> {
  const { rows } = await on.query<StoredRefund>(`${selectRefunds} where ${column} = $1`, [value]);
  return rows[0];
}

/** Lists the refunds created since a time. */
export async function listSandboxRefunds(on: Pick<pg.Pool, 'query'>, since: Date): Promise<StoredRefund[]> {
  return (await on.query<StoredRefund>(`${selectRefunds} where created_at >= $1`, [since])).rows;
}

/** Selects the refunds that are due, each with its outcome. */
export async function findDueRefunds(on: Pick<pg.Pool, 'query'>, now: Date) {
  const { rows } = await on.query<{ id: string; intent_id: string; behaviour: string | null }>(
    `select r.id, r.intent_id, i.pending_behaviour as behaviour
     from sandbox_refunds r join sandbox_intents i on i.id = r.intent_id
     where r.settles_at <= $1 order by r.settles_at limit 100`,
    [now],
  );
  return rows;
}

const selectRefunds = `select id, intent_id, amount, status, reason, failure_reason, metadata,
  to_json(created_at) #>> '{}' as created_at from sandbox_refunds`;

const sumOf = (refunds: readonly { amount: number }[]) =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);
