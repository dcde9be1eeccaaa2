import type { LedgerKind, MovementRow } from './ledger-store.ts';

/** A movement in a payout. `clientMoney` is the client money in its amount. */
export type PayoutEntry = Pick<
  MovementRow,
  'kind' | 'amount' | 'fee' | 'lines' | 'paymentId' | 'caseReference' | 'matterReference'
> & { clientMoney: number };

/** Why a payout to the client account differs from the clients’ money in it. */
export type PayoutDifferenceKind = 'fee' | 'refund' | 'chargeback' | 'reserve' | 'office';

/** What one matter contributes to a difference. */
export interface PayoutDifference {
  kind: PayoutDifferenceKind;
  caseReference: string | null;
  matterReference: string | null;
  /** Pence that are missing from clients’ money; negative for money that is more than theirs. */
  amount: number;
}

/**
 * Explains why a payout to the client account differs from the clients’ money in it, by matter. The sum is what the firm moves from the
 * business account to the client account, or, if it is negative, the other way.
 *
 * - Fees, chargebacks and reserves took something, or gave it back.
 * - A refund took the money of others, unless the refunded payment is in the same payout.
 * - `office` is the firm’s money in the payout, such as the firm’s lines of bills, and what repays it for a search.
 *
 * A refund that failed is clients’ money again, unless it was made in the same payout.
 * @param entries every entry of one payout
 */
export function explainPayout(entries: readonly PayoutEntry[]): PayoutDifference[] {
  const contained = new Set(entries.map(({ kind, paymentId }) => `${kind} ${paymentId}`));
  const inPayout = (kind: LedgerKind, paymentId: string | null) =>
    paymentId !== null && contained.has(`${kind} ${paymentId}`);
  const found = new Map<string, PayoutDifference>();
  const add = (
    kind: PayoutDifferenceKind,
    { caseReference, matterReference }: PayoutEntry,
    pence: number,
  ) => {
    if (pence === 0) return;
    const key = JSON.stringify([kind, caseReference, matterReference]);
    const amount = (found.get(key)?.amount ?? 0) + pence;
    found.set(key, { kind, caseReference, matterReference, amount });
  };
  for (const entry of entries) {
    const { kind, amount, fee, lines, clientMoney, paymentId } = entry;
    if (kind === 'payout' || kind === 'payout_failure') continue;
    add('fee', entry, fee);
    // Money from outside Keyturn may be clients’ money.
    const office = lines === null ? 0 : amount - clientMoney;
    if (kind === 'charge' || kind === 'allocation') add('office', entry, -office);
    else if (kind === 'refund')
      if (inPayout('charge', paymentId)) add('office', entry, -office);
      else add('refund', entry, -amount);
    else if (kind === 'refund_failure')
      if (inPayout('charge', paymentId) || !inPayout('refund', paymentId)) add('office', entry, -office);
      else add('refund', entry, -amount);
    else if (kind === 'dispute' || kind === 'dispute_reversal') add('chargeback', entry, -amount);
    else if (kind === 'fee') add('fee', entry, -amount);
    else add('reserve', entry, -amount);
  }
  return [...found.values()].filter(({ amount }) => amount !== 0);
}

/** Adds up what to move from the business account to the client account, in pence; negative for the other way. */
export const sumOfDifferences = (differences: readonly PayoutDifference[]): number =>
  differences.reduce((sum, { amount }) => sum + amount, 0);
