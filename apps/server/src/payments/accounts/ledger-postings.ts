import type { StoredPaymentLine } from '../../schema/tables/payment-tables.ts';
import type { LedgerKind } from './ledger-store.ts';

/**
 * The accounts of a ledger; there is one ledger for each account of the firm at its provider. Debits are positive, credits
 * negative, and the postings of each movement add up to zero.
 *
 * - `provider`: what the payment provider holds for the firm.
 * - `bank`: the firm's bank account, as far as payouts reached it.
 * - `client_money`: what clients have paid online, less refunds, on a matter. It is not the client ledger’s balance: only the firm’s own
 *   ledger knows what was spent.
 * - `business_money`: what clients paid for fees that were billed, and what repaid the firm for searches.
 * - `card_costs`: the provider's fees, which are a cost of the firm.
 * - `chargebacks`: money that banks have taken back and not returned. The firm makes it good, so that client money never falls.
 * - `not_ours`: movements that belong to no payment of this installation.
 */
export const ledgerAccounts = [
  'provider',
  'bank',
  'client_money',
  'business_money',
  'card_costs',
  'chargebacks',
  'not_ours',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

export interface Posting {
  account: LedgerAccount;
  /** Pence; a debit is positive. */
  amount: number;
}

/** A movement of the balance, and the payment whose money moved. An allocation moves nothing at the provider. */
export interface LedgerMovement {
  kind: LedgerKind;
  /** Pence before the fee; negative if the money left the balance. */
  amount: number;
  /** The provider's fee, in pence. */
  fee: number;
  /** The lines of its payment; null if it belongs to no payment of this installation. */
  lines: readonly StoredPaymentLine[] | null;
  /** The client money in `amount`. */
  clientMoney: number;
}

/** Returns the postings of a movement. They add up to zero. */
export function postingsOf(movement: LedgerMovement): Posting[] {
  const { amount, fee } = movement;
  const costs: Posting[] = [
    { account: 'provider', amount: -fee },
    { account: 'card_costs', amount: fee },
  ];
  return [{ account: 'provider' as const, amount }, ...counterpart(movement), ...costs].filter(
    (posting) => posting.amount !== 0,
  );
}

function counterpart({ kind, amount, lines, clientMoney }: LedgerMovement): Posting[] {
  switch (kind) {
    case 'payout':
    case 'payout_failure':
      return [{ account: 'bank', amount: -amount }];
    case 'charge':
    case 'refund':
    case 'refund_failure':
    case 'allocation': {
      if (!lines) return [{ account: 'not_ours', amount: -amount }];
      return [
        { account: 'client_money', amount: -clientMoney },
        { account: 'business_money', amount: clientMoney - amount },
      ];
    }
    case 'dispute':
    case 'dispute_reversal':
      return [{ account: lines ? 'chargebacks' : 'not_ours', amount: -amount }];
    case 'fee':
      return [{ account: 'card_costs', amount: -amount }];
    case 'other':
      return [{ account: 'not_ours', amount: -amount }];
  }
}
