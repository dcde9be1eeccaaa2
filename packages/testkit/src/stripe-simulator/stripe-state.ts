import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { TestClock } from '../test-clock.ts';

/** A PaymentIntent as the simulator stores it: references are ids. */
export type StripeIntent = Stripe.PaymentIntent & {
  client_secret: string;
  latest_charge: string | null;
  payment_method: string | null;
};

/** A charge as the simulator stores it. */
export type StripeCharge = Stripe.Charge & { payment_intent: string; balance_transaction: string | null };

/** A refund as the simulator stores it. */
export type StripeRefund = Stripe.Refund & { charge: string; payment_intent: string };

/** A dispute as the simulator stores it. */
export type StripeDispute = Stripe.Dispute & { charge: string; payment_intent: string };

/** A balance transaction as the simulator stores it. */
export type StripeBalanceTransaction = Stripe.BalanceTransaction & { source: string };

/** The objects of one Stripe account in one mode, in the order of their creation. */
export interface StripeState {
  readonly accountId: string;
  readonly isLive: boolean;
  readonly clock: TestClock;
  readonly account: Stripe.Account;
  readonly intents: Map<string, StripeIntent>;
  readonly charges: Map<string, StripeCharge>;
  readonly refunds: Map<string, StripeRefund>;
  readonly disputes: Map<string, StripeDispute>;
  readonly float: { amount: number };
  readonly balanceTransactions: Map<string, StripeBalanceTransaction>;
  /** The payout that contains a balance transaction, by the transaction's id. */
  readonly payoutOf: Map<string, string>;
  readonly payouts: Map<string, Stripe.Payout>;
  readonly earlyFraudWarnings: Map<string, Stripe.Radar.EarlyFraudWarning>;
  readonly reviews: Map<string, Stripe.Review>;
  readonly paymentMethods: Map<string, Stripe.PaymentMethod>;
  /** Adds an event, with the object's current state. @param previous the former values of changed fields */
  emit(type: Stripe.Event.Type, object: { object: string }, previous?: Record<string, unknown>): void;
}

/** @returns the time of the account's clock in seconds, as in Stripe's objects */
export const nowOf = ({ clock }: Pick<StripeState, 'clock'>): number => Math.floor(clock().getTime() / 1000);

/** @param prefix such as `pi` */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
