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
import type { StripeRight } from './right-names.ts';
import { cancel, cancelRefund, confirm, create, refund, update } from './rules/stripe-rule.ts';
import { checkCall } from './rules/stripe-rules.ts';
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
export interface StripeAccount extends StripeOperations {
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
  readonly webhooks: StripeWebhooks;
  readonly intents: StripeIntents & PaymentShortcuts;
  /** What calls over HTTP use, which check the rules themselves. */
  readonly operations: StripeOperations;
}

/** The operations on the objects of an account. */
export interface StripeOperations {
  readonly state: StripeState;
  readonly object: Stripe.Account;
  readonly intents: StripeIntents;
  readonly charges: StripeCharges;
  readonly refunds: StripeRefunds;
  readonly disputes: StripeDisputes;
  readonly balanceTransactions: StripeBalanceTransactions;
  readonly payouts: StripePayouts;
  readonly earlyFraudWarnings: StripeEarlyFraudWarnings;
  readonly reviews: StripeReviews;
  readonly events: StripeEvents;
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
  const operations = createOperations(state, events);
  const { intents, refunds } = withRules(operations);
  return {
    ...operations,
    operations,
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
    webhooks,
    intents: { ...intents, ...shortcuts(intents, refunds, operations.disputes) },
    refunds,
  };
}

function createOperations(state: StripeState, events: Map<string, StoredEvent>): StripeOperations {
  return {
    state,
    object: state.account,
    intents: createIntents(state),
    charges: createCharges(state),
    refunds: createRefunds(state),
    disputes: createDisputes(state),
    balanceTransactions: createBalanceTransactions(state),
    payouts: createPayouts(state),
    earlyFraudWarnings: createEarlyFraudWarnings(state),
    reviews: createReviews(state),
    events: createEvents(state, events),
    lookUp: (wanted) =>
      wanted === state.accountId
        ? state.account
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

/** The page to which a bank sends the payer back, where a test names none. Browsers always do. */
const returnPage = 'https://firm.example/payment';

/** The operations that tests call without HTTP, with the rules that Stripe has for them. */
function withRules({
  state,
  intents,
  refunds,
}: StripeOperations): Pick<StripeOperations, 'intents' | 'refunds'> {
  return {
    intents: {
      ...intents,
      create: (params) => {
        checkCall(state, create, { params });
        return intents.create(params);
      },
      update: (id, params) => {
        checkCall(state, update, { id, params });
        return intents.update(id, params);
      },
      cancel: (id, params = {}) => {
        checkCall(state, cancel, { id, params });
        return intents.cancel(id, params);
      },
      confirm: (id, method, returnUrl = returnPage) => {
        checkCall(state, confirm, { id, params: { payment_method: method, return_url: returnUrl } });
        return intents.confirm(id, method, returnUrl);
      },
    },
    refunds: {
      ...refunds,
      create: (params) => {
        checkCall(state, refund, { params });
        return refunds.create(params);
      },
      cancel: (id) => {
        checkCall(state, cancelRefund, { id, params: {} });
        return refunds.cancel(id);
      },
    },
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
