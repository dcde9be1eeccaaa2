import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { TestClock } from '../test-clock.ts';
import { newAccount } from './account.ts';
import { createBalanceTransactions, type StripeBalanceTransactions } from './balance-transactions.ts';
import { createCharges, type StripeCharges } from './charges.ts';
import { createDisputes, type DisputeTerms, type StripeDisputes } from './disputes.ts';
import { createEarlyFraudWarnings, type StripeEarlyFraudWarnings } from './early-fraud-warnings.ts';
import { createEvent, createEvents, type StoredEvent, type StripeEvents } from './events.ts';
import { createIntents, type StripeIntents } from './intents.ts';
import { createPayouts, type StripePayouts } from './payouts.ts';
import { createRefunds, type StripeRefunds } from './refunds.ts';
import { createReviews, type StripeReviews } from './reviews.ts';
import type { StripeRight } from './rights.ts';
import type { StripeDispute, StripeIntent, StripeRefund, StripeState } from './stripe-state.ts';
import { createWebhooks, type StripeWebhooks } from './webhooks.ts';

/** Shortcuts for tests about payments; each accepts an intent's id. */
interface PaymentShortcuts {
  /** Refunds a payment. @param amount in pence; by default everything not yet refunded */
  refund(intentId: string, amount?: number): StripeIntent;
  /** Lets the latest refund of a payment fail after Stripe reported it as successful. */
  failRefund(intentId: string): StripeRefund;
  /** Opens a dispute. @param amount in pence; by default the whole charge */
  dispute(intentId: string, amount?: number, terms?: Omit<DisputeTerms, 'amount'>): StripeDispute;
  /** Changes the status of an intent's latest dispute: `under_review`, `won`, `lost`, … */
  moveDispute(intentId: string, status: Stripe.Dispute.Status): StripeDispute;
  disputesOf(intentId: string): StripeDispute[];
}

/** One Stripe account in one mode: its keys, objects, events and webhooks. */
export interface StripeAccount {
  /** Such as `acct_…`. */
  readonly id: string;
  readonly isLive: boolean;
  /** A secret key of this account. Tests may add keys, or delete keys that were rolled. */
  readonly secretKeys: Set<string>;
  readonly secretKey: string;
  /** Creates a restricted key that lacks rights; every other key has all. */
  addKey(lacks: readonly StripeRight[]): string;
  rightsLackedBy(key: string): readonly StripeRight[];
  readonly webhookSecret: string;
  readonly object: Stripe.Account;
  readonly intents: StripeIntents & PaymentShortcuts;
  readonly charges: StripeCharges;
  readonly refunds: StripeRefunds;
  readonly disputes: StripeDisputes;
  readonly balanceTransactions: StripeBalanceTransactions;
  readonly payouts: StripePayouts;
  readonly earlyFraudWarnings: StripeEarlyFraudWarnings;
  readonly reviews: StripeReviews;
  readonly events: StripeEvents;
  readonly webhooks: StripeWebhooks;
  /** Finds an object of any kind by its id, for expansion. */
  lookUp(id: string): object | undefined;
}

/** The options of a simulated account. */
export interface AccountOptions {
  id?: string;
  name?: string;
  isLive?: boolean;
  webhookSecret?: string;
  /** Receives each event before it is stored. */
  onEvent?(event: StoredEvent): void;
}

/** Creates an account without payments. */
export function createStripeAccount(clock: TestClock, options: AccountOptions = {}): StripeAccount {
  const id = options.id ?? `acct_${randomBytes(8).toString('hex')}`;
  const isLive = options.isLive ?? false;
  const webhookSecret = options.webhookSecret ?? `whsec_${randomBytes(12).toString('hex')}`;
  const newKey = () => `rk_${isLive ? 'live' : 'test'}_${randomBytes(12).toString('hex')}`;
  const secretKey = newKey();
  const secretKeys = new Set([secretKey]);
  const lackedRights = new Map<string, readonly StripeRight[]>();
  const object = newAccount(id, options.name ?? 'Keyturn', Math.floor(clock().getTime() / 1000));
  const webhooks = createWebhooks(clock, webhookSecret);
  const events = new Map<string, StoredEvent>();
  const state = newState(clock, { accountId: id, isLive, account: object }, (event) => {
    options.onEvent?.(event);
    events.set(event.id, event);
    webhooks.add(event);
  });
  const intents = createIntents(state);
  const refunds = createRefunds(state);
  const disputes = createDisputes(state);
  return {
    id,
    isLive,
    secretKey,
    secretKeys,
    addKey: (lacks) => {
      const key = newKey();
      secretKeys.add(key);
      lackedRights.set(key, lacks);
      return key;
    },
    rightsLackedBy: (key) => lackedRights.get(key) ?? [],
    webhookSecret,
    object,
    intents: { ...intents, ...shortcuts(intents, refunds, disputes) },
    charges: createCharges(state),
    refunds,
    disputes,
    balanceTransactions: createBalanceTransactions(state),
    payouts: createPayouts(state),
    earlyFraudWarnings: createEarlyFraudWarnings(state),
    reviews: createReviews(state),
    events: createEvents(state, events),
    webhooks,
    lookUp: (wanted) =>
      wanted === id
        ? object
        : [
            state.intents,
            state.charges,
            state.refunds,
            state.disputes,
            state.balanceTransactions,
            state.payouts,
            state.earlyFraudWarnings,
            state.reviews,
            state.paymentMethods,
          ]
            .map((objects: ReadonlyMap<string, object>) => objects.get(wanted))
            .find((found) => found !== undefined),
  };
}

function newState(
  clock: TestClock,
  identity: Pick<StripeState, 'accountId' | 'isLive' | 'account'>,
  onEvent: (event: StoredEvent) => void,
): StripeState {
  return {
    ...identity,
    clock,
    intents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    float: { amount: 1_000_000_00 },
    balanceTransactions: new Map(),
    payoutOf: new Map(),
    payouts: new Map(),
    earlyFraudWarnings: new Map(),
    reviews: new Map(),
    paymentMethods: new Map(),
    emit: (type, changed, previous) =>
      onEvent(createEvent({ clock, isLive: identity.isLive }, type, changed, previous)),
  };
}

function shortcuts(
  intents: StripeIntents,
  refunds: StripeRefunds,
  disputes: StripeDisputes,
): PaymentShortcuts {
  const disputesOf = (intentId: string) =>
    disputes.all().filter(({ payment_intent }) => payment_intent === intentId);
  return {
    refund: (intentId, amount) => {
      refunds.create({ payment_intent: intentId, ...(amount === undefined ? {} : { amount }) });
      return intents.find(intentId);
    },
    failRefund: (intentId) => {
      const refund = refunds
        .all()
        .findLast(({ payment_intent, status }) => payment_intent === intentId && status === 'succeeded');
      if (!refund) throw new Error(`${intentId} has no successful refund`);
      return refunds.fail(refund.id);
    },
    dispute: (intentId, amount, terms = {}) =>
      disputes.open(intents.find(intentId).latest_charge ?? '', { ...terms, amount }),
    moveDispute: (intentId, status) => {
      const dispute = disputesOf(intentId).at(-1);
      if (!dispute) throw new Error(`${intentId} has no dispute`);
      return disputes.move(dispute.id, status);
    },
    disputesOf,
  };
}
