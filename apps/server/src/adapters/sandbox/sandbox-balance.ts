import { addDays, londonDay } from '@keyturn/format/london-time';
import type pg from 'pg';
import type { BalanceTransaction, ProviderBalance, ProviderPayout } from '../../payments/ports/balance.ts';
import type { Clock } from '../../platform/clock.ts';

/** A movement, with the time from which its money can be paid out. */
type Movement = BalanceTransaction & { availableAt: Date };

/**
 * Calculates the sandbox's balance as a card provider does: a fee for each charge and each dispute, the money that the bank
 * withdraws and returns, and each midnight (UTC) a payout of everything available by then. It is derived from the stored
 * charges, refunds and disputes, so it needs no tables.
 */
export function createSandboxBalance(pool: pg.Pool, clock: Clock): ProviderBalance {
  const listMovements = async (): Promise<Movement[]> => {
    const { rows } = await pool.query<ChargeRow>(
      'select id, intent_id, amount, created_at, available_at from sandbox_charges order by created_at',
    );
    const refunds = await pool.query<RefundRow>(
      `select id, intent_id, amount, paid_out_at, case when status in ('failed', 'canceled') then updated_at end as returned_at
       from sandbox_refunds where paid_out_at is not null order by paid_out_at`,
    );
    const disputes = await pool.query<DisputeRow>(
      `select id, intent_id, amount, withdrawn_at, reinstated_at from sandbox_disputes
       where withdrawn_at is not null order by withdrawn_at`,
    );
    return [
      ...rows.map(toMovement),
      ...refunds.rows.flatMap(toRefundMovements),
      ...disputes.rows.flatMap(toDisputeMovements),
    ];
  };
  return {
    listBalanceTransactions: async (query) => {
      const movements = await listMovements();
      const payoutsDue = payoutsOf(movements, clock());
      if ('payoutId' in query) {
        return movements
          .filter(({ availableAt }) => payoutId(availableAt) === query.payoutId)
          .map(withoutTime);
      }
      return [...movements.map(withoutTime), ...payoutsDue.map(toPayoutMovement)].filter(
        ({ createdAt }) => createdAt >= query.since,
      );
    },
    listPayouts: async (since) =>
      payoutsOf(await listMovements(), clock()).filter(({ createdAt }) => createdAt >= since),
    // The sandbox makes refunds of any amount.
    readAvailable: async () => null,
  };
}

interface ChargeRow {
  id: string;
  intent_id: string;
  amount: number;
  created_at: Date;
  available_at: Date;
}

interface RefundRow {
  id: string;
  intent_id: string;
  amount: number;
  paid_out_at: Date;
  /** When the bank returned it, or it was cancelled; else null. */
  returned_at: Date | null;
}

interface DisputeRow {
  id: string;
  intent_id: string;
  amount: number;
  withdrawn_at: Date;
  /** When the bank returned the money of a dispute that the firm won; else null. */
  reinstated_at: Date | null;
}

/** A movement that changes what is available immediately. */
const moveNow = (
  kind: Movement['kind'],
  { id, intent_id }: { id: string; intent_id: string },
  { amount, fee = 0, at }: { amount: number; fee?: number; at: Date },
): Movement => ({
  transactionId: `txn_${kind}_${id}`,
  kind,
  amount,
  fee,
  currency: 'gbp',
  intentId: intent_id,
  refundId: kind === 'refund' || kind === 'refund_failure' ? id : null,
  createdAt: at,
  availableOn: londonDay(at),
  availableAt: at,
});

/** A refund leaves the balance immediately, and returns to it if it fails. */
function toRefundMovements(row: RefundRow): Movement[] {
  const made = moveNow('refund', row, { amount: -row.amount, at: row.paid_out_at });
  return row.returned_at
    ? [made, moveNow('refund_failure', row, { amount: row.amount, at: row.returned_at })]
    : [made];
}

/** A dispute takes its amount and a fee; if the firm wins, the amount returns and the fee does not. */
function toDisputeMovements(row: DisputeRow): Movement[] {
  const taken = moveNow('dispute', row, { amount: -row.amount, fee: disputeFee, at: row.withdrawn_at });
  return row.reinstated_at
    ? [taken, moveNow('dispute_reversal', row, { amount: row.amount, at: row.reinstated_at })]
    : [taken];
}

/** Pence, as at Stripe for an account in the United Kingdom. */
const disputeFee = 2_000;

const toMovement = (row: ChargeRow): Movement => ({
  transactionId: `txn_${row.id}`,
  kind: 'charge',
  amount: row.amount,
  fee: chargeFee(row.amount),
  currency: 'gbp',
  intentId: row.intent_id,
  refundId: null,
  createdAt: row.created_at,
  availableOn: londonDay(row.available_at),
  availableAt: row.available_at,
});

/** Pence: 1.5% and 20p, as card providers charge for cards of the United Kingdom. */
const chargeFee = (amount: number) => Math.round(amount * 0.015) + 20;

/** The first midnight at which the money is available. */
const payoutTime = (availableAt: Date): Date => {
  const midnight = new Date(`${availableAt.toISOString().slice(0, 10)}T00:00:00Z`);
  return midnight.getTime() === availableAt.getTime()
    ? midnight
    : new Date(`${addDays(availableAt.toISOString().slice(0, 10), 1)}T00:00:00Z`);
};

const payoutId = (availableAt: Date) => `po_sandbox_${payoutTime(availableAt).toISOString().slice(0, 10)}`;

function payoutsOf(movements: readonly Movement[], now: Date): ProviderPayout[] {
  const payouts = new Map<string, ProviderPayout>();
  for (const { availableAt, amount, fee } of movements) {
    const createdAt = payoutTime(availableAt);
    if (createdAt > now) continue;
    const id = payoutId(availableAt);
    const before = payouts.get(id)?.amount ?? 0;
    payouts.set(id, {
      payoutId: id,
      amount: before + amount - fee,
      currency: 'gbp',
      status: 'paid',
      arrivesOn: londonDay(createdAt),
      createdAt,
      isItemised: true,
    });
  }
  return [...payouts.values()];
}

const toPayoutMovement = ({
  payoutId: id,
  amount,
  createdAt,
  arrivesOn,
}: ProviderPayout): BalanceTransaction => ({
  transactionId: `txn_${id}`,
  kind: 'payout',
  amount: -amount,
  fee: 0,
  currency: 'gbp',
  intentId: null,
  refundId: null,
  createdAt,
  availableOn: arrivesOn,
});

const withoutTime = ({ availableAt: _time, ...movement }: Movement): BalanceTransaction => movement;
