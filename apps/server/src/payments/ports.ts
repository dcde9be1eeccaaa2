import type {
  CaseStatus,
  Firm,
  Payment,
  PaymentLine,
  PaymentMethod,
  PaymentPurpose,
  Price,
} from '@keyturn/contract';
import type { Connection, Transaction } from '../platform/database.ts';
import type { MoneyAccount, ProviderName } from '../platform/provider-names.ts';
import type { ProviderBalance } from './accounts/ports.ts';
import type { FraudSubject, ProviderDisputes } from './disputes/ports.ts';
import type { ProviderIntentState } from './records/payment-states.ts';
import type { IntentLabels, IntentMetadata, LabelledIntent } from './recovery/ports.ts';
import type { ListedRefund, ProviderRefund, RefundTerms } from './refunds/ports.ts';

export type { Clearing, ProviderIntentState } from './records/payment-states.ts';
export type { ListedRefund, ProviderRefund, RefundTerms } from './refunds/ports.ts';
export { RefundRefused } from './refunds/ports.ts';

/** The port to a payment provider. */
export interface PaymentProvider extends ProviderBalance, ProviderDisputes {
  readonly name: ProviderName;
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
  /**
   * Lists the origin of every intent created since then, in any status and in no particular order. It is cheaper than
   * `listIntents`, and includes intents of other installations.
   * @throws ProviderUnavailable
   */
  listIntentLabels(since: Date): Promise<LabelledIntent[]>;
  /**
   * Writes labels into the metadata of an intent; other labels stay unchanged.
   * @throws ProviderUnavailable, IntentNotFound
   */
  labelIntent(intentId: string, labels: Pick<IntentMetadata, 'client_id' | 'receipt_number'>): Promise<void>;
  /**
   * Reads the id of the provider's account, such as `acct_1ABC`, with `:test` after it in test mode. Calls the
   * provider until it has answered once, and then at most every ten minutes, so that `acceptsBankPayments` reflects
   * its account.
   * @throws ProviderUnavailable, ProviderRefused
   */
  readAccountId(): Promise<string>;
  /** The id from the provider's answer; null before the first answer. */
  knownAccountId(): string | null;
  /** Whether the account can accept payments by bank, according to the latest answer; false before the first one. */
  acceptsBankPayments(): boolean;
  /** @throws ProviderUnavailable, IntentNotFound */
  retrieveIntent(intentId: string): Promise<ProviderIntent>;
  /**
   * Cancels an intent that is not paid, so that it can never be paid. An intent that is settled, or that the bank is
   * processing, is not changed.
   * @returns the current intent, cancelled or not
   * @throws ProviderUnavailable, IntentNotFound
   */
  cancelIntent(intentId: string): Promise<ProviderIntent>;
  /**
   * Refunds a part or all of a paid intent, or returns the refund that this idempotency key has made before.
   * @throws ProviderUnavailable if it is unknown whether the refund was made: retry with the same key
   * @throws IdempotencyKeyConflict if this key can no longer give a refund with these terms
   * @throws RefundRefused if the provider has not made it, and never will
   */
  createRefund(terms: RefundTerms): Promise<ProviderRefund>;
  /**
   * Lists every refund created since then, in any status and in no particular order, including those made at the provider.
   * @throws ProviderUnavailable
   */
  listRefunds(since: Date): Promise<ListedRefund[]>;
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

/** The payment providers that a use case can call. */
export interface ProviderChoice {
  /** The provider to call: initially that of the client account, later the one with which a payment was started. */
  provider: PaymentProvider;
  /** Every provider that can be called. */
  providers: {
    /** The providers with which payments can be started. */
    active: readonly PaymentProvider[];
    /** Former providers, which only finish the payments that were started with them. */
    former: readonly PaymentProvider[];
  };
}

/** The account that the firm has chosen for each purpose; null for a purpose that cannot be paid by this method. */
export type PurposeAccounts = Readonly<
  Record<PaymentMethod, Readonly<Record<PaymentPurpose, MoneyAccount | null>>>
>;

export interface IntentTerms {
  paymentId: string;
  /** Shown to staff who open the payment in the provider's dashboard. */
  caseId: string;
  kind: 'search' | 'other';
  method: PaymentMethod;
  /** Pence. */
  amount: number;
  currency: 'gbp';
  description: string;
  idempotencyKey: string;
  /** The facts for the payer's statement; null before a firm was imported. */
  statement?: { firmName: string; caseReference: string } | null;
  /** The installation and the payment of the intent, which a recovery reads after a backup is restored. */
  labels?: IntentLabels;
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
  /** The installation that the event's object names; null or undefined if it names none. */
  installationId?: string | null;
  /** A card was declined on the intent; counted once per event. */
  reportsDecline?: boolean;
  /** The early fraud warning or review that the event is about. */
  fraudSubject?: FraudSubject;
  body: unknown;
}

/** Thrown when the provider did not answer, or the answer leaves the effect of the call open. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/**
 * Thrown when the provider rejects our key, so that no call works until the operator corrects it. For clients it is
 * the same as an unavailable provider: the state of earlier charges is unknown.
 */
export class ProviderKeyRejected extends ProviderUnavailable {
  override name = 'ProviderKeyRejected';
}

/** Thrown when the provider permanently refuses a request, which had no effect. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
}

/** Thrown when the provider has no such intent. */
export class IntentNotFound extends Error {
  override name = 'IntentNotFound';
}

/**
 * Thrown when an idempotency key was used with other terms, or the provider replays an old failure for it, so that a
 * retry cannot succeed.
 */
export class IdempotencyKeyConflict extends Error {
  override name = 'IdempotencyKeyConflict';
}

/**
 * The functions of property searches that payments uses. A search is always locked before its payment, to avoid
 * deadlocks.
 */
export interface PayableSearches {
  /**
   * Finds a search on a case of this client and locks it until the end of the transaction.
   * @param query.locks names of advisory locks that are then acquired too, in this order
   * @returns null if this client has no such search
   */
  lock(
    transaction: Transaction,
    query: { clientId: string; caseSearchId: string; locks?: string[] },
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
  /** The full name of the client. */
  clientName: string;
  /** What the payer's statement names; null before a firm was imported. */
  statement: StatementNames | null;
}

/** The functions of the case history that payments uses. */
export interface PaymentHistory {
  record(
    transaction: Transaction,
    /** `clientId` is null for actions of the firm or the payer's bank. */
    entry: { caseId: string; occurredAt: Date; clientId: string | null; summary: string },
  ): Promise<void>;
}

/** The functions of cases that payments uses. */
export interface PayableCases {
  /** Finds the client's active case; null for a client without cases. */
  findActive(connection: Connection, clientId: string): Promise<PayableCase | null>;
  /** Finds a case of this client; null if they are not on it. */
  findOfClient(
    connection: Connection,
    query: { clientId: string; caseId: string },
  ): Promise<PayableCase | null>;
  /** The first name of a client, including of one who is no longer on any case; "A client" for an unknown id. */
  findFirstName(connection: Connection, clientId: string): Promise<string>;
  /** The full name of a client, including of one who is no longer on any case; "A client" for an unknown id. */
  findName(connection: Connection, clientId: string): Promise<string>;
  /**
   * Reads the facts that are recorded with a successful payment: the payer’s name, the state of the case, and the
   * firm.
   */
  readAtPayment(connection: Connection, query: { caseId: string; clientId: string }): Promise<CaseAtPayment>;
  /** Finds the facts for a payer's statement; null before a firm was imported. */
  findStatementNames(connection: Connection, caseId: string): Promise<StatementNames | null>;
  /** Reads the facts for a receipt about a case and one of its matters; null before a firm was imported. */
  describe(
    connection: Connection,
    query: { caseId: string; matterId: string | null; payerId: string },
  ): Promise<DescribedCase | null>;
}

/** A case at the moment of a payment. */
export interface CaseAtPayment {
  /** Null if the client is no longer on the case. */
  status: CaseStatus | null;
  /** "A client" for an unknown client. */
  payerFirstName: string;
  /** Null before a firm was imported. */
  firm: Firm | null;
}

/** The facts for a payer's statement. */
export interface StatementNames {
  firmName: string;
  caseReference: string;
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
  /** Days on which banks are closed, besides weekends. */
  bankHolidays: readonly string[];
}

/** Prints receipts as PDF. */
export interface ReceiptPrinter {
  print(receipt: ReceiptContent): Promise<Buffer>;
}

/** Everything that a receipt shows; money in pence. */
export interface ReceiptContent {
  /** The firm with the name, address and VAT number that it had when the payment was made. */
  firm: Firm;
  receiptNumber: string;
  paidAt: Date;
  /** When the money cleared or is expected to; null if the firm keeps none of it. */
  clearing: Payment['clearing'];
  /** Whether the card belongs to someone other than the client who paid. */
  isAnotherCard: boolean;
  method: PaymentMethod;
  payerName: string;
  clientNames: string[];
  caseReference: string;
  property: string | null;
  description: string;
  /** The bill that was paid. */
  bill: { number: string; issuedOn: string } | null;
  /** The date of supply for VAT, a day in London. */
  suppliedOn: string;
  lines: PaymentLine[];
  amount: number;
  /** Refunded so far. */
  refundedAmount: number;
  /** Whether the card’s bank asks about the payment, disputes it, or has taken money back. */
  dispute: 'none' | 'inquiry' | 'open' | 'lost';
  /** Each refund, including those that failed, oldest first. */
  refunds: Payment['refunds'];
  card: Payment['card'];
  /** The text on the payer's statement; null if the provider does not return it. */
  statementDescriptor: string | null;
  /** The client's own words for the payment. */
  reference: string | null;
  /** No money moved. */
  sandbox: boolean;
}
