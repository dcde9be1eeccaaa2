import type { BalanceKind, PayoutStatus } from '../../schema/tables/account-tables.ts';

/** One movement of the balance. It never changes. */
export interface BalanceTransaction {
  transactionId: string;
  kind: BalanceKind;
  /** Pence before the fee; negative if the money left the balance. */
  amount: number;
  /** The provider's fee, in pence, which it deducted from the balance; negative if a fee was returned. */
  fee: number;
  currency: string;
  /** The intent whose money moved; null for fees and payouts. */
  intentId: string | null;
  /** The provider's id of the refund that it made or took back; null for other movements. */
  refundId: string | null;
  createdAt: Date;
  /** The day in London from which the money can be paid out, `YYYY-MM-DD`. */
  availableOn: string;
}

/** A transfer from the balance to the firm's bank account. */
export interface ProviderPayout {
  payoutId: string;
  /** Pence; negative if the provider collected money from the bank account. */
  amount: number;
  currency: string;
  status: PayoutStatus;
  /** The day in London on which it reaches, or reached, the bank account. */
  arrivesOn: string;
  createdAt: Date;
  /** Whether the provider lists the movements in it, which it does not for manual payouts. */
  isItemised: boolean;
}

/** The functions of a payment provider for its balance and payouts. */
export interface ProviderBalance {
  /**
   * Lists the movements of the balance that were created since a time, or those that a payout contains, without the
   * payout's own movement.
   * @throws ProviderUnavailable
   */
  listBalanceTransactions(query: { since: Date } | { payoutId: string }): Promise<BalanceTransaction[]>;
  /**
   * Lists the payouts that were created since a time.
   * @throws ProviderUnavailable
   */
  listPayouts(since: Date): Promise<ProviderPayout[]>;
  /**
   * Reads the amount, in pence, from which refunds are made now; money that has not cleared is not part of it. Negative if the
   * firm owes the provider money.
   * @returns null if the provider makes refunds of any amount
   * @throws ProviderUnavailable
   */
  readAvailable(): Promise<number | null>;
}
