import { type PaymentStatus, refusalOfStripe } from '@keyturn/contract';
import type {
  PaymentIntent,
  PaymentIntentResult,
  Stripe,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js';
import { localFailure } from '../client/api-error.ts';
import { loadStripe } from './load-stripe.ts';
import type { ProviderIntentState } from './provider-intent-state.ts';

/** The browser's side of Stripe. The intent's client secret authorises it; a card's number stays in Stripe's frame. */
export interface StripeProvider {
  /** @throws ApiError where Stripe is not heard */
  read(clientSecret: string): Promise<ProviderIntentState>;
}

export function createStripeProvider(publishableKey: string): StripeProvider {
  return {
    read: async (clientSecret) => {
      const stripe = await inTime(loadStripe(publishableKey));
      return wordOf(await inTime(stripe.retrievePaymentIntent(clientSecret)));
    },
  };
}

/**
 * Pays with the card that stands in the Payment Element; the bank's check comes over the page where it is asked for.
 * @returns null when nothing was sent: what is wrong is said in the Element
 * @throws ApiError when it is not known what came of it
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
      // Where a bank insists on a page of its own. What it adds to the address is taken off and believed in nothing.
      return_url: `${location.origin}/payment`,
      payment_method_data: { billing_details: { name: payerName } },
    },
  });
  return result.error?.type === 'validation_error' ? null : wordOf(result);
}

/**
 * The bank's check of a card that was given before.
 * @throws ApiError when it is not known what came of it
 */
export async function authenticateAtStripe(
  stripe: Stripe,
  clientSecret: string,
): Promise<ProviderIntentState> {
  const result = await stripe.handleNextAction({ clientSecret });
  if (result.paymentIntent || result.error) return wordOf(result);
  throw localFailure('unreachable');
}

function wordOf({ paymentIntent, error }: PaymentIntentResult): ProviderIntentState {
  if (paymentIntent) return wordOfIntent(paymentIntent);
  if (error.type === 'card_error') {
    return {
      status: 'requires_payment_method',
      revision: error.charge ?? 'refused',
      refusal: refusalOfStripe(error),
    };
  }
  // It was paid or given up meanwhile, or the bank said no.
  if (error.type === 'invalid_request_error' && error.payment_intent)
    return wordOfIntent(error.payment_intent);
  throw localFailure('unreachable');
}

function wordOfIntent({ status, last_payment_error: error }: PaymentIntent): ProviderIntentState {
  return {
    status: statuses[status] ?? 'processing',
    revision: markOf(error),
    refusal: status === 'requires_payment_method' && error ? refusalOfStripe(error) : null,
  };
}

/** Stripe does not count the changes of an intent: each refusal is known by its charge, or by what was given for it. */
const markOf = (error: Pick<StripeError, 'charge' | 'payment_method' | 'code'> | null): string =>
  error ? (error.charge ?? error.payment_method?.id ?? error.code ?? 'refused') : 'none';

/** A status that is not here is on its way: nothing is said to be taken, nor ended. */
const statuses: Partial<Record<string, PaymentStatus>> = {
  requires_payment_method: 'requires_payment_method',
  requires_confirmation: 'requires_payment_method',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  canceled: 'cancelled',
};

/** Stripe.js waits as long as the line does; a question is asked again sooner. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(localFailure('timed_out')), 10_000);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
