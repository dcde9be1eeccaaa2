import type { StoredPaymentLine } from '../../schema/tables/payment-tables.ts';
import { clientMoneyIn } from '../bills/allocate.ts';
import { allocatedLines } from '../records/allocated-lines.ts';
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
  lines: StoredPaymentLine[] | null;
  /** What was received of that payment before, less refunds, in pence. */
  received: number;
  /** How much of the payment repays the firm before and after, in pence; only an allocation changes it. */
  office?: { before: number; after: number };
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

function counterpart(movement: LedgerMovement): Posting[] {
  const { kind, amount, lines } = movement;
  switch (kind) {
    case 'payout':
    case 'payout_failure':
      return [{ account: 'bank', amount: -amount }];
    case 'charge':
    case 'refund':
    case 'refund_failure':
    case 'allocation': {
      if (!lines) return [{ account: 'not_ours', amount: -amount }];
      const clientMoney = clientMoneyOf(movement);
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

/**
 * Returns the client money in a movement of a payment, with its sign. A mixed payment is split at once (SRA Accounts Rules 4.2), its
 * refunds and disputes by the same rule.
 */
export function clientMoneyOf({ kind, amount, lines, received, office }: LedgerMovement): number {
  if (!lines) return 0;
  const start = kind === 'dispute_reversal' ? received - amount : received;
  const clientMoney = (repaid: number | undefined, pence: number) =>
    clientMoneyIn(allocatedLines(lines, { office: repaid ?? 0 }), pence);
  return clientMoney(office?.after, start + amount) - clientMoney(office?.before, start);
}

/** Returns what was received of a payment after a movement, less refunds, in pence. */
export const receivedAfter = ({ kind, amount, received }: LedgerMovement): number =>
  kind === 'charge' || kind === 'refund' || kind === 'refund_failure' ? received + amount : received;
