import type { PaymentLine } from '@keyturn/contract';
import type { BalanceKind } from '../../schema/tables/account-tables.ts';

/**
 * The accounts of a ledger; there is one ledger for each account of the firm at its provider. Debits are positive, credits
 * negative, and the postings of each movement add up to zero.
 *
 * - `provider`: what the payment provider holds for the firm.
 * - `bank`: the firm's bank account, as far as payouts reached it.
 * - `client_money`: what clients have paid online, less refunds, on a matter. It is not the client ledger’s balance: only the firm’s own
 *   ledger knows what was spent.
 * - `business_money`: what clients paid for fees that were billed.
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

/** A movement of the balance, and the payment whose money moved. */
export interface LedgerMovement {
  kind: BalanceKind;
  /** Pence before the fee; negative if the money left the balance. */
  amount: number;
  /** The provider's fee, in pence. */
  fee: number;
  /** The lines of its payment; null if it belongs to no payment of this installation. */
  lines: PaymentLine[] | null;
}

/** Returns the postings of a movement. They add up to zero. */
export function postingsOf({ kind, amount, fee, lines }: LedgerMovement): Posting[] {
  const costs: Posting[] = [
    { account: 'provider', amount: -fee },
    { account: 'card_costs', amount: fee },
  ];
  return [{ account: 'provider' as const, amount }, ...counterpart(kind, amount, lines), ...costs].filter(
    (posting) => posting.amount !== 0,
  );
}

function counterpart(kind: BalanceKind, amount: number, lines: PaymentLine[] | null): Posting[] {
  switch (kind) {
    case 'payout':
    case 'payout_failure':
      return [{ account: 'bank', amount: -amount }];
    case 'charge':
    case 'refund':
    case 'refund_failure':
      if (!lines) return [{ account: 'not_ours', amount: -amount }];
      return [{ account: isClientMoney(lines) ? 'client_money' : 'business_money', amount: -amount }];
    case 'dispute':
    case 'dispute_reversal':
      return [{ account: lines ? 'chargebacks' : 'not_ours', amount: -amount }];
    case 'fee':
      return [{ account: 'card_costs', amount: -amount }];
    case 'other':
      return [{ account: 'not_ours', amount: -amount }];
  }
}

/**
 * Returns whether the money of a payment is client money. A mixed receipt is client money until the firm has split it
 * (SRA Accounts Rules 4.2).
 */
export const isClientMoney = (lines: readonly PaymentLine[]): boolean =>
  lines.some(({ client_money }) => client_money);
