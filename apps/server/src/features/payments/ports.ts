import type { PaymentProvider as PaymentProviderName, Price } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import type { ProviderFacts } from './payment-states.ts';

/** A payment provider, in the words of payments. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** For the browser; no secret. */
  readonly publishableKey: string;
  /**
   * Makes the intent of a payment, or gives the one that this key made before.
   * @throws ProviderUnavailable when it is not known whether it was made: ask again with the same key
   */
  createIntent(terms: IntentTerms): Promise<ProviderIntent>;
  /** @throws ProviderUnavailable */
  retrieveIntent(intentId: string): Promise<ProviderIntent>;
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
  /** Pence. */
  amount: number;
  currency: 'gbp';
  description: string;
  idempotencyKey: string;
}

export interface ProviderIntent extends ProviderFacts {
  /** Lets the browser go on with this one intent. Never stored on our side, never logged. */
  clientSecret: string;
}

export interface ProviderEvent {
  id: string;
  type: string;
  /** Null for events about something else. */
  intentId: string | null;
  body: unknown;
}

/** The provider did not answer, or not in a way that tells what it did. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/** What payments needs of property searches. */
export interface PayableSearches {
  /**
   * Finds a search on a case of this client and locks it to the end of the transaction.
   * @returns null where there is none for this client
   */
  lock(
    transaction: Transaction,
    of: { clientId: string; caseSearchId: string },
  ): Promise<PayableSearch | null>;
  /** The search is paid and the task that asked for it is done. */
  markPaid(transaction: Transaction, caseSearchId: string, paidAt: Date): Promise<void>;
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
    entry: { caseId: string; occurredAt: Date; clientId: string; summary: string },
  ): Promise<void>;
}
