import { cardRefusalFromStripe } from '@keyturn/contract';
import type Stripe from 'stripe';
import type { Dispute, ProviderIntent } from '../../features/payments/ports.ts';

/**
 * Converts an intent of Stripe, with `latest_charge` and `payment_method` expanded, to the port's form.
 * @param disputes the disputes of the intent, in any order
 */
export function toProviderIntent(
  intent: Stripe.PaymentIntent,
  disputes: readonly Stripe.Dispute[],
): ProviderIntent {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  return {
    intentId: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: statuses[intent.status] ?? 'processing',
    amount: intent.amount,
    currency: intent.currency,
    paymentId: intent.metadata.payment_id ?? null,
    card: cardOf(intent, charge),
    error: errorOf(intent),
    // Only a successful charge can have refunds.
    refundedAmount: intent.status === 'succeeded' ? (charge?.amount_refunded ?? 0) : 0,
    dispute: disputeOf(disputes),
    // Stripe does not count the changes of an intent.
    revision: null,
  };
}

/** Any other status counts as processing, so that we claim neither a payment nor a cancellation. */
const statuses: Partial<Record<string, ProviderIntent['status']>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
};

/** Stripe's dispute statuses: a closed warning cost nothing, a prevented dispute was refunded. */
const disputeStates: Partial<Record<string, Dispute['status']>> = {
  won: 'won',
  warning_closed: 'won',
  lost: 'lost',
  prevented: 'lost',
};

/** Chooses the open dispute, else the latest: a charge can be disputed again. */
function disputeOf(disputes: readonly Stripe.Dispute[]): Dispute | null {
  const converted = disputes.map(({ status, amount, created }) => ({
    status: disputeStates[status] ?? ('open' as const),
    amount,
    openedAt: new Date(created * 1000),
  }));
  const rank = ({ status, openedAt }: Dispute) => (status === 'open' ? Infinity : openedAt.getTime());
  return converted.reduce<Dispute | null>(
    (latest, dispute) => (latest && rank(latest) >= rank(dispute) ? latest : dispute),
    null,
  );
}

function cardOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): ProviderIntent['card'] {
  const method = typeof intent.payment_method === 'object' ? intent.payment_method : null;
  const card =
    intent.status === 'requires_payment_method'
      ? intent.last_payment_error?.payment_method?.card
      : (charge?.payment_method_details?.card ?? method?.card);
  const { brand, last4 } = card ?? {};
  return brand && last4 && /^\d{4}$/.test(last4) ? { brand, last4 } : null;
}

/** Stripe keeps the last error of an intent; it only matters while the intent waits for another card. */
function errorOf({ status, last_payment_error: error }: Stripe.PaymentIntent): ProviderIntent['error'] {
  if (!error || status !== 'requires_payment_method') return null;
  return { code: cardRefusalFromStripe(error), message: 'The card was declined.' };
}
