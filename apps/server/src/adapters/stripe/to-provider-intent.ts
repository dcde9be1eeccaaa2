import { bankFailureFromStripe, cardDeclineFromStripe, cardWallets } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { joinStatement } from '@keyturn/format/statement-descriptor';
import type Stripe from 'stripe';
import type { Clearing, ProviderIntent } from '../../payments/ports/intents.ts';
import { fromStripeDispute } from './disputes.ts';
import { toProviderRefund } from './refunds.ts';

/**
 * Converts an intent of Stripe, with `latest_charge` and its balance transaction and `payment_method` expanded, to the
 * port's form.
 * @param context.disputes the disputes of the intent, in any order
 * @param context.refunds the refunds of its charge, in any order
 * @param context.statementPrefix how the account calls the firm on statements; null if it is unknown
 */
export function toProviderIntent(
  intent: Stripe.PaymentIntent,
  {
    disputes,
    refunds,
    statementPrefix,
  }: {
    disputes: readonly Stripe.Dispute[];
    refunds: readonly Stripe.Refund[];
    statementPrefix: string | null;
  },
): ProviderIntent {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  return {
    intentId: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: intentStatusOf(intent),
    isStoppedByProvider: intent.status === 'canceled' && stripesOwnReasons.has(intent.cancellation_reason),
    amount: intent.amount,
    currency: intent.currency,
    paymentId: intent.metadata.payment_id ?? null,
    installationId: intent.metadata.installation_id ?? null,
    clientId: intent.metadata.client_id ?? null,
    capturedAt: intent.status === 'succeeded' && charge ? new Date(charge.created * 1000) : null,
    card: cardOf(intent, charge),
    statementDescriptor: statementOf(intent, charge, statementPrefix),
    error: errorOf(intent),
    refunds: refunds.map(toProviderRefund),
    clearing: intent.status === 'succeeded' ? clearingOf(charge) : null,
    disputes: disputes.flatMap((dispute) => fromStripeDispute(dispute) ?? []),
    // Stripe has no version number for an intent.
    revision: null,
  };
}

/** Converts Stripe's status. An unknown one counts as processing, so that we claim neither a payment nor a cancellation. */
export const intentStatusOf = ({ status }: Stripe.PaymentIntent): ProviderIntent['status'] =>
  statuses[status] ?? 'processing';

const statuses: Partial<Record<string, ProviderIntent['status']>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
};

/** The reasons for a cancellation that Stripe “generates internally”. An intent that Keyturn cancels has none. */
const stripesOwnReasons: ReadonlySet<string | null> = new Set([
  'automatic',
  'expired',
  'failed_invoice',
  'void_invoice',
]);

/** Null while Stripe has not created the balance transaction of the charge. */
function clearingOf(charge: Stripe.Charge | null): Clearing | null {
  const transaction = charge?.balance_transaction;
  if (!transaction || typeof transaction === 'string') return null;
  return {
    on: londonDay(new Date(transaction.available_on * 1000)),
    isCleared: transaction.status === 'available',
  };
}

/**
 * Returns the text on the payer's statement: from the charge if there is one, otherwise from the intent and the
 * account.
 */
function statementOf(
  { status, statement_descriptor_suffix: suffix }: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
  prefix: string | null,
): string | null {
  if (status === 'succeeded' && charge) return charge.calculated_statement_descriptor;
  return prefix !== null && suffix !== null ? joinStatement(prefix, suffix) : null;
}

function cardOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): ProviderIntent['card'] {
  const method = typeof intent.payment_method === 'object' ? intent.payment_method : null;
  const card =
    intent.status === 'requires_payment_method'
      ? intent.last_payment_error?.payment_method?.card
      : (charge?.payment_method_details?.card ?? method?.card);
  const { brand, last4, wallet } = card ?? {};
  if (!brand || !last4 || !/^\d{4}$/.test(last4)) return null;
  return { brand, last4, wallet: cardWallets.find((name) => name === wallet?.type) ?? null };
}

/** Stripe keeps the last error of an intent; it only matters while the intent waits for another attempt. */
function errorOf({
  status,
  payment_method_types: types,
  last_payment_error: error,
}: Stripe.PaymentIntent): ProviderIntent['error'] {
  if (!error || status !== 'requires_payment_method') return null;
  if (types.includes('pay_by_bank'))
    return { code: bankFailureFromStripe(error.code), message: 'The bank did not make the payment.' };
  return { code: cardDeclineFromStripe(error), message: 'The card was declined.' };
}
