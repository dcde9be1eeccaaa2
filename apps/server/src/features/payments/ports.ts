import type {
  CaseStatus,
  Firm,
  PaymentLine,
  PaymentProvider as PaymentProviderName,
  Price,
} from '@keyturn/contract';
import type { Connection, Transaction } from '../../platform/database.ts';
import type { ProviderIntentState } from './records/payment-states.ts';

export type { Dispute, ProviderIntentState } from './records/payment-states.ts';

/** A payment provider, as payments uses it. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** Sent to the browser; not a secret. */
  readonly publishableKey: string;
  /**
   * Creates the intent of a payment, or returns the one that this idempotency key has created before.
   * @throws ProviderUnavailable if it is unknown whether the intent was created: retry with the same key
   * @throws IdempotencyKeyConflict if this key can no longer give an intent with these terms
   */
  createIntent(terms: IntentTerms): Promise<ProviderIntent>;
  /**
   * Lists every intent created since then that names one of our payments, in any status and in no particular order.
   * @throws ProviderUnavailable
   */
  listIntents(since: Date): Promise<ProviderIntentState[]>;
  /** @throws ProviderUnavailable, IntentNotFound */
  retrieveIntent(intentId: string): Promise<ProviderIntent>;
  /**
   * Cancels an intent that is not paid, so that it can never be paid. An intent that is settled, or that the bank is
   * processing, stays as it is.
   * @returns the intent after that, cancelled or not
   * @throws ProviderUnavailable, IntentNotFound
   */
  cancelIntent(intentId: string): Promise<ProviderIntent>;
  /**
   * Verifies and reads a webhook.
   * @param body the signed bytes, unchanged
   * @returns null if the signature is wrong, or more than five minutes older or newer than `now`
   */
  readWebhook(
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
    now: Date,
  ): ProviderEvent | null;
}

export interface IntentTerms {
  paymentId: string;
  /** For staff who look at the payment in the provider's own dashboard. */
  caseId: string;
  kind: 'search' | 'other';
  /** Pence. */
  amount: number;
  currency: 'gbp';
  description: string;
  idempotencyKey: string;
}

export interface ProviderIntent extends ProviderIntentState {
  /** Lets the browser pay this one intent. Never stored on our side, never logged. */
  clientSecret: string;
}

export interface ProviderEvent {
  id: string;
  type: string;
  /** Null for events about something else. */
  intentId: string | null;
  /** A card was declined on the intent; counted once per event. */
  reportsDecline?: boolean;
  body: unknown;
}

/** The provider did not answer, or its answer leaves open what it did. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/** The provider has no such intent. */
export class IntentNotFound extends Error {
  override name = 'IntentNotFound';
}

/** The idempotency key was used with other terms, or the provider replays an old failure for it: a retry cannot succeed. */
export class IdempotencyKeyConflict extends Error {
  override name = 'IdempotencyKeyConflict';
}

/** What payments needs from property searches. A search is always locked before its payment, to avoid deadlocks. */
export interface PayableSearches {
  /**
   * Finds a search on a case of this client and locks it until the end of the transaction.
   * @returns null if this client has no such search
   */
  lock(
    transaction: Transaction,
    query: { clientId: string; caseSearchId: string },
  ): Promise<PayableSearch | null>;
  /** Locks a search until the end of the transaction, for any client. */
  lockById(transaction: Transaction, caseSearchId: string): Promise<void>;
  /**
   * Marks a search as paid, and the task to pay it as done.
   * @returns false if the search did not await payment, because it was cancelled or paid by another method
   */
  markPaid(transaction: Transaction, caseSearchId: string, paidAt: Date): Promise<boolean>;
}

export interface PayableSearch {
  id: string;
  caseId: string;
  matterId: string;
  name: string;
  price: Price;
  /** Whether it awaits payment on an active case. */
  awaitsPayment: boolean;
}

/** What payments needs from the case's history. */
export interface PaymentHistory {
  record(
    transaction: Transaction,
    /** `clientId`: null for what the firm or the payer's bank did. */
    entry: { caseId: string; occurredAt: Date; clientId: string | null; summary: string },
  ): Promise<void>;
}

/** What payments needs from cases. */
export interface PayableCases {
  /** Finds the client's active case; null for a client without cases. */
  findActive(connection: Connection, clientId: string): Promise<PayableCase | null>;
  /** Finds a case of this client; null if they are not on it. */
  findOfClient(
    connection: Connection,
    query: { clientId: string; caseId: string },
  ): Promise<PayableCase | null>;
  /** The first name of a client, also of one who is no longer on any case; "A client" for an unknown id. */
  findFirstName(connection: Connection, clientId: string): Promise<string>;
  /** Reads what a receipt says about a case and one of its matters; null before a firm was imported. */
  describe(
    connection: Connection,
    query: { caseId: string; matterId: string | null; payerId: string },
  ): Promise<DescribedCase | null>;
}

export interface PayableCase {
  id: string;
  status: CaseStatus;
  /** In the case's order. */
  matterIds: string[];
}

export interface DescribedCase {
  firm: Firm;
  caseReference: string;
  /** Every client on the case. */
  clientNames: string[];
  /** The name of `payerId`. */
  payerName: string;
  /** The matter's address on one line; null if the payment does not belong to a single matter. */
  property: string | null;
}

/** Prints receipts as PDF. */
export interface ReceiptPrinter {
  print(receipt: ReceiptContent): Promise<Buffer>;
}

/** Everything that a receipt shows; money in pence. */
export interface ReceiptContent {
  firm: Firm;
  receiptNumber: string;
  paidAt: Date;
  payerName: string;
  clientNames: string[];
  caseReference: string;
  property: string | null;
  description: string;
  lines: PaymentLine[];
  amount: number;
  /** Refunded so far. */
  refundedAmount: number;
  card: { brand: string; last4: string } | null;
  /** The client's own words for the payment. */
  reference: string | null;
  /** No money moved. */
  sandbox: boolean;
}
