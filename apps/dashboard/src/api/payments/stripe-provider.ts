import { localFailure } from '@keyturn/browser/calls/api-error.ts';
import {
  bankFailureFromStripe,
  cardDeclineFromStripe,
  type PaymentFailureCode,
  type PaymentStatus,
} from '@keyturn/contract';
import type {
  PaymentIntent,
  PaymentIntentResult,
  Stripe,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js';
import { loadStripe } from './load-stripe.ts';
import type { PayableIntent } from './payment-queries.ts';
import type { ProviderIntentState } from './provider-intent-state.ts';
import { returnAddress, untilRestored } from './until-restored.ts';

/** The browser's side of Stripe, authorised by the intent's client secret. Card numbers stay in Stripe's frame. */
export interface StripeProvider {
  /** @throws ApiError if Stripe cannot be reached */
  read(intent: PayableIntent): Promise<ProviderIntentState>;
}

export const stripeProvider: StripeProvider = {
  read: async ({ publishable_key, client_secret }) => {
    const stripe = await withTimeout(loadStripe(publishable_key));
    return intentStateOf(await withTimeout(stripe.retrievePaymentIntent(client_secret)));
  },
};

/**
 * Pays with the card in the Payment Element. If the bank asks for a check, Stripe shows it over the page.
 * @returns null if nothing was sent, because the Element reports incomplete card details
 * @throws ApiError if the outcome is unknown
 */
export async function confirmAtStripe(
  stripe: Stripe,
  elements: StripeElements,
  payerName: string,
): Promise<ProviderIntentState | null> {
  const result = await stripe.confirmPayment({
    elements,
    redirect: 'if_required',
    confirmParams: {
      // For banks that insist on their own page. The parameters that Stripe adds to this address are removed unread.
      return_url: returnAddress(),
      payment_method_data: { billing_details: { name: payerName } },
    },
  });
  return result.error?.type === 'validation_error' ? null : intentStateOf(result);
}

/**
 * Leaves for the page on which the client chooses their bank and approves the payment.
 * @returns its outcome, if no page was opened or the browser restores this page
 * @throws ApiError if the outcome is unknown
 */
export async function payByBankAtStripe(
  stripe: Stripe,
  clientSecret: string,
  payerName: string,
): Promise<ProviderIntentState> {
  const left = stripe.confirmPayByBankPayment(clientSecret, {
    payment_method: { billing_details: { name: payerName } },
    return_url: returnAddress(),
  });
  const result = await Promise.race([left, untilRestored()]);
  return intentStateOf(result ?? (await withTimeout(stripe.retrievePaymentIntent(clientSecret))));
}

/**
 * Shows the bank's check of a card that was submitted earlier.
 * @throws ApiError if the outcome is unknown
 */
export async function authenticateAtStripe(
  stripe: Stripe,
  clientSecret: string,
): Promise<ProviderIntentState> {
  const result = await stripe.handleNextAction({ clientSecret });
  if (result.paymentIntent || result.error) return intentStateOf(result);
  throw localFailure('unreachable');
}

function intentStateOf({ paymentIntent, error }: PaymentIntentResult): ProviderIntentState {
  if (paymentIntent) return convertIntent(paymentIntent);
  if (error.payment_intent && isByBank(error.payment_intent)) return convertIntent(error.payment_intent);
  if (error.type === 'card_error') {
    return {
      status: 'requires_payment_method',
      revision: error.charge ?? 'refused',
      decline: cardDeclineFromStripe(error),
    };
  }
  // The intent was paid or cancelled meanwhile, or the bank's check failed.
  if (error.type === 'invalid_request_error' && error.payment_intent)
    return convertIntent(error.payment_intent);
  throw localFailure('unreachable');
}

function convertIntent(intent: PaymentIntent): ProviderIntentState {
  const { status, last_payment_error: error } = intent;
  const failureOf = (failed: StripeError): PaymentFailureCode =>
    isByBank(intent) ? bankFailureFromStripe(failed.code) : cardDeclineFromStripe(failed);
  return {
    status: statuses[status] ?? 'processing',
    revision: revisionOf(error),
    decline: status === 'requires_payment_method' && error ? failureOf(error) : null,
  };
}

const isByBank = ({ payment_method_types: types }: PaymentIntent) => types.includes('pay_by_bank');

/** Stripe has no revision of an intent, so the last decline's charge or payment method serves as one. */
const revisionOf = (error: Pick<StripeError, 'charge' | 'payment_method' | 'code'> | null): string =>
  error ? (error.charge ?? error.payment_method?.id ?? error.code ?? 'refused') : 'none';

/** An unlisted status counts as `processing`: neither paid nor open to another attempt. */
const statuses: Partial<Record<string, PaymentStatus>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  canceled: 'cancelled',
};

/** Stripe.js itself has no timeout. */
async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(localFailure('timed_out')), 10_000);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
