import type { PaymentMethod, PaymentPurpose } from '@keyturn/contract';
import type { MoneyAccount, ProviderName } from '../../platform/provider-names.ts';
import type { ProviderBalance } from './balance.ts';
import type { FraudSubject, ProviderDisputes } from './disputes.ts';
import type {
  IntentMetadata,
  IntentTerms,
  LabelledIntent,
  ProviderIntent,
  ProviderIntentState,
} from './intents.ts';
import type { ListedRefund, ProviderRefund, RefundTerms } from './refunds.ts';

/** The port to a payment provider. */
export interface PaymentProvider extends ProviderBalance, ProviderDisputes {
  readonly name: ProviderName;
  /** Sent to the browser; not a secret. */
  readonly publishableKey: string;
  /**
   * Creates the intent of a payment, or returns the one that this idempotency key has created before.
   * @throws ProviderUnavailable if it is unknown whether the intent was created: retry with the same key
   * @throws IdempotencyKeyConflict if this key can no longer give an intent with these terms
   * @throws MethodNotOffered if the intent cannot be paid by this method; the intent is cancelled
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

/** Thrown when our key lacks a right that a call needs; other calls may work. */
export class ProviderRightMissing extends ProviderKeyRejected {
  override name = 'ProviderRightMissing';
  /** The provider's name of the right, such as `rak_charge_read`. */
  readonly right: string;

  constructor(message: string, right: string) {
    super(message);
    this.right = right;
  }
}

/** Thrown when the provider permanently refuses a request, which had no effect. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
}

/** Thrown when the provider does not offer a payment's method for its amount, currency or account: nothing can be paid. */
export class MethodNotOffered extends ProviderRefused {
  override name = 'MethodNotOffered';
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

/** Whether an error is an answer of the provider, or the lack of one, and no fault in our code. */
export const isProviderError = (error: unknown): boolean =>
  [ProviderUnavailable, ProviderRefused, IntentNotFound, IdempotencyKeyConflict].some(
    (kind) => error instanceof kind,
  );
