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

/** A payment provider, in the words of payments. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** For the browser; no secret. */
  readonly publishableKey: string;
  /**
   * Makes the intent of a payment, or gives the one that this key made before.
   * @throws ProviderUnavailable when it is not known whether it was made: ask again with the same key
   * @throws IdempotencyKeyConflict when this key gives an intent of these terms no more
   */
  createIntent(terms: IntentTerms): Promise<ProviderIntent>;
  /**
   * Every intent since then that names a payment of ours, whatever became of it, in no order.
   * @throws ProviderUnavailable
   */
  listIntents(since: Date): Promise<ProviderIntentState[]>;
  /** @throws ProviderUnavailable, IntentNotFound */
  retrieveIntent(intentId: string): Promise<ProviderIntent>;
  /**
   * Ends an intent that nothing was taken for: it can never be paid after. One that has ended, or is on its way at
   * the bank, stays as it is.
   * @returns how it stands after that: `cancelled` or not
   * @throws ProviderUnavailable, IntentNotFound
   */
  cancelIntent(intentId: string): Promise<ProviderIntent>;
  /**
   * Reads a webhook.
   * @param body the very bytes that were signed
   * @returns null when it is not the provider's, was changed, or is more than five minutes off
   */
  readWebhook(
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
    now: Date,
  ): ProviderEvent | null;
}

export interface IntentTerms {
  paymentId: string;
  /** For who reads the provider's own list. */
  caseId: string;
  kind: 'search' | 'other';
  /** Pence. */
  amount: number;
  currency: 'gbp';
  description: string;
  idempotencyKey: string;
}

export interface ProviderIntent extends ProviderIntentState {
  /** Lets the browser go on with this one intent. Never stored on our side, never logged. */
  clientSecret: string;
}

export interface ProviderEvent {
  id: string;
  type: string;
  /** Null for events about something else. */
  intentId: string | null;
  /** A card was declined on the intent: counted, once for each event. */
  reportsDecline?: boolean;
  body: unknown;
}

/** The provider did not answer, or not in a way that tells what it did. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/** The provider answered, and has no such intent. */
export class IntentNotFound extends Error {
  override name = 'IntentNotFound';
}

/** The key stands for other terms, or for a failure that is remembered: asking again with it leads nowhere. */
export class IdempotencyKeyConflict extends Error {
  override name = 'IdempotencyKeyConflict';
}

/** What payments needs of property searches. Whoever locks a search and a payment locks the search first. */
export interface PayableSearches {
  /**
   * Finds a search on a case of this client and locks it to the end of the transaction.
   * @returns null where there is none for this client
   */
  lock(
    transaction: Transaction,
    of: { clientId: string; caseSearchId: string },
  ): Promise<PayableSearch | null>;
  /** Locks a search to the end of the transaction, whoever's it is. */
  lockById(transaction: Transaction, caseSearchId: string): Promise<void>;
  /**
   * The search is paid and the task that asked for it is done.
   * @returns whether it awaited payment; false: it was cancelled, or paid in another way, and stays as it was
   */
  markPaid(transaction: Transaction, caseSearchId: string, paidAt: Date): Promise<boolean>;
}

export interface PayableSearch {
  id: string;
  caseId: string;
  matterId: string;
  name: string;
  price: Price;
  /** Awaits payment on a case that is going on. */
  awaitsPayment: boolean;
}

/** What payments needs of the case's history. */
export interface PaymentHistory {
  record(
    transaction: Transaction,
    /** `clientId` null: the firm did it, or the payer's bank. */
    entry: { caseId: string; occurredAt: Date; clientId: string | null; summary: string },
  ): Promise<void>;
}

/** What payments needs of cases. */
export interface PayableCases {
  /** The case that a client is looking at; null for a client without cases. */
  findActive(connection: Connection, clientId: string): Promise<PayableCase | null>;
  /** A case of this client; null where it is none of theirs. */
  findOfClient(connection: Connection, of: { clientId: string; caseId: string }): Promise<PayableCase | null>;
  /** The first name of a client, also of one who is no longer on any case; "A client" for an unknown id. */
  findFirstName(connection: Connection, clientId: string): Promise<string>;
  /** What a receipt says of a case and of one of its matters; null before there is a firm. */
  describe(
    connection: Connection,
    of: { caseId: string; matterId: string | null; payerId: string },
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
  /** Everybody on the case. */
  clientNames: string[];
  /** Of `payerId`. */
  payerName: string;
  /** The matter's, on one line; null where the payment belongs to no single one. */
  property: string | null;
}

/** Makes the PDF of a receipt. */
export interface ReceiptPrinter {
  print(receipt: ReceiptContent): Promise<Buffer>;
}

/** All that stands on a receipt; money in pence. */
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
  /** Given back so far. */
  refundedAmount: number;
  card: { brand: string; last4: string } | null;
  /** The client's own words for the payment. */
  reference: string | null;
  /** No money moved. */
  sandbox: boolean;
}
