import type Stripe from 'stripe';
import { addBalanceTransaction, availableOf } from './balance-transactions.ts';
import { findCharge } from './charges.ts';
import { findIntent } from './intents.ts';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeCharge, type StripeRefund, type StripeState } from './stripe-state.ts';

/** The initial status of a refund. Card refunds succeed immediately, unless the balance is too low. */
type FirstStatus = 'succeeded' | 'pending' | 'requires_action' | 'failed';

/** The refunds of an account, and what banks do with them. */
export interface StripeRefunds {
  all(): StripeRefund[];
  find(id: string): StripeRefund;
  list(params: Stripe.RefundListParams): StripePage<StripeRefund>;
  create(params: Stripe.RefundCreateParams): StripeRefund;
  /** Cancels a refund that requires an action of the payer. */
  cancel(id: string): StripeRefund;
  /** Completes a refund that is pending or requires an action. */
  succeed(id: string): StripeRefund;
  /** Lets a refund fail, even after it succeeded, and returns the money to the balance. */
  fail(id: string, reason?: string): StripeRefund;
  /** The status of the next refunds, one for each; refunds succeed otherwise. */
  readonly nextStatuses: FirstStatus[];
}

/** Creates the operations on the refunds of an account. */
export function createRefunds(state: StripeState): StripeRefunds {
  const all = () => [...state.refunds.values()];
  const nextStatuses: FirstStatus[] = [];
  const find = (id: string) => {
    const refund = state.refunds.get(id);
    if (!refund) throw resourceMissing('refund', id);
    return refund;
  };
  return {
    all,
    find,
    nextStatuses,
    list: (params) => {
      const found = all().filter(
        (refund) =>
          isWithin(refund.created, params.created) &&
          matches(params.charge, refund.charge) &&
          matches(params.payment_intent, refund.payment_intent),
      );
      return listPage('/v1/refunds', found, params);
    },
    create: (params) => createRefund(state, params, nextStatuses.shift()),
    cancel: (id) => returnMoney(state, find(id), 'canceled'),
    succeed: (id) => {
      const refund = find(id);
      if (refund.status !== 'pending' && refund.status !== 'requires_action') {
        throw new Error(`the refund is already ${refund.status}`);
      }
      const previous = refund.status;
      completeRefund(state, refund);
      emitUpdate(state, refund, { status: previous });
      return refund;
    },
    fail: (id, reason = 'lost_or_stolen_card') => {
      const refund = find(id);
      if (refund.status === 'failed' || refund.status === 'canceled') {
        throw new Error(`the refund is already ${refund.status}`);
      }
      refund.failure_reason = reason;
      return returnMoney(state, refund, 'failed');
    },
  };
}

function createRefund(
  state: StripeState,
  params: Stripe.RefundCreateParams,
  wantedStatus: FirstStatus | undefined,
): StripeRefund {
  const charge = chargeToRefund(state, params);
  const amount = params.amount ?? charge.amount - charge.amount_refunded;
  const isByBank = charge.payment_method_details?.type === 'pay_by_bank';
  // Stripe takes the available balance. How a refund by bank fails for it is unverified.
  const isShort = wantedStatus === undefined && amount > availableOf(state);
  const status = isShort ? (isByBank ? 'failed' : 'pending') : (wantedStatus ?? 'succeeded');
  const refund: StripeRefund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowOf(state),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: metadataOf(params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  };
  if (status === 'pending') refund.pending_reason = isShort ? 'insufficient_funds' : 'processing';
  if (status === 'requires_action') refund.status = 'requires_action';
  if (status === 'succeeded' || (status === 'failed' && !isShort)) completeRefund(state, refund);
  state.refunds.set(refund.id, refund);
  changeRefunded(charge, amount);
  state.emit('refund.created', refund);
  state.emit('charge.refunded', charge);
  if (status === 'failed') {
    refund.failure_reason = isShort ? 'insufficient_funds' : 'expired_or_canceled_card';
    returnMoney(state, refund, 'failed');
  }
  return refund;
}

function chargeToRefund(
  state: StripeState,
  { charge, payment_intent }: Stripe.RefundCreateParams,
): StripeCharge {
  const id = charge ?? findIntent(state, payment_intent ?? '', 'payment_intent').latest_charge ?? '';
  return findCharge(state, id, 'charge');
}

function completeRefund(state: StripeState, refund: StripeRefund): void {
  refund.status = 'succeeded';
  delete refund.pending_reason;
  refund.balance_transaction = addBalanceTransaction(state, {
    type: 'refund',
    reportingCategory: 'refund',
    amount: -refund.amount,
    currency: refund.currency,
    source: refund.id,
    isAvailable: true,
    description: 'Refund for charge',
  }).id;
}

/** Ends a refund without effect; money that had left the balance returns to it. */
function returnMoney(state: StripeState, refund: StripeRefund, status: 'failed' | 'canceled'): StripeRefund {
  const previous = refund.status;
  refund.status = status;
  delete refund.pending_reason;
  if (refund.balance_transaction !== null) {
    refund.failure_balance_transaction = addBalanceTransaction(state, {
      type: 'refund_failure',
      reportingCategory: 'refund_failure',
      amount: refund.amount,
      currency: refund.currency,
      source: refund.id,
      isAvailable: true,
      description: 'Failed refund',
    }).id;
  }
  changeRefunded(findCharge(state, refund.charge), -refund.amount);
  emitUpdate(state, refund, { status: previous });
  if (status === 'failed') state.emit('refund.failed', refund);
  return refund;
}

function changeRefunded(charge: StripeCharge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}

function emitUpdate(state: StripeState, refund: StripeRefund, previous: Record<string, unknown>): void {
  state.emit('charge.refund.updated', refund, previous);
  state.emit('refund.updated', refund, previous);
}

const metadataOf = (metadata: Stripe.RefundCreateParams['metadata']) =>
  Object.fromEntries(Object.entries(metadata || {}).map(([name, value]) => [name, String(value)]));
