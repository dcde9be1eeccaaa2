import type { PaymentIntentResult, Stripe, StripeElements } from '@stripe/stripe-js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmAtStripe } from './stripe-provider.ts';

beforeEach(() => vi.stubGlobal('location', { origin: 'https://clients.example.test' }));

/** Returns the result of `confirmAtStripe` for an answer of Stripe.js, with the arguments of the call. */
async function confirmWith(result: unknown) {
  const requests: unknown[] = [];
  const stripe = {
    confirmPayment: async (options: unknown) => {
      requests.push(options);
      return result as PaymentIntentResult;
    },
  } as unknown as Stripe;
  const state = await confirmAtStripe(stripe, {} as StripeElements, 'Amelia Okafor');
  return { state, request: requests[0] };
}

const open = {
  status: 'requires_payment_method',
  payment_method_types: ['card'],
  last_payment_error: null,
};
const refused = (id: string, code: string, decline_code?: string) => ({
  ...open,
  last_payment_error: { type: 'card_error', code, decline_code, payment_method: { id } },
});

describe('confirming a card at Stripe', () => {
  test('returns the status of an accepted card', async () => {
    const { state, request } = await confirmWith({ paymentIntent: { ...open, status: 'succeeded' } });
    expect(state).toEqual({ status: 'succeeded', revision: 'none', decline: null });
    expect(request).toMatchObject({
      redirect: 'if_required',
      confirmParams: {
        return_url: 'https://clients.example.test/payment',
        payment_method_data: { billing_details: { name: 'Amelia Okafor' } },
      },
    });
  });

  test('converts a decline to one of our codes, and never reveals that a card was reported stolen', async () => {
    const declined = async (decline_code: string) =>
      (await confirmWith({ error: { type: 'card_error', code: 'card_declined', decline_code } })).state
        ?.decline;
    expect(await declined('insufficient_funds')).toBe('insufficient_funds');
    expect(await declined('stolen_card')).toBe('card_declined');
  });

  test('gives each decline by the bank its own revision', async () => {
    const after = async (id: string) =>
      (
        await confirmWith({
          error: {
            type: 'invalid_request_error',
            code: 'payment_intent_authentication_failure',
            payment_intent: refused(id, 'payment_intent_authentication_failure'),
          },
        })
      ).state;
    expect(await after('pm_1')).toEqual({
      status: 'requires_payment_method',
      revision: 'pm_1',
      decline: 'authentication_failed',
    });
    expect((await after('pm_2'))?.revision).toBe('pm_2');
  });

  test('returns the status of an intent that was paid meanwhile', async () => {
    const error = {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: {
        ...open,
        status: 'succeeded',
        last_payment_error: refused('pm_1', 'card_declined').last_payment_error,
      },
    };
    expect((await confirmWith({ error })).state).toMatchObject({ status: 'succeeded', decline: null });
  });

  test('returns null for incomplete card details, which are not sent', async () => {
    expect(
      (await confirmWith({ error: { type: 'validation_error', code: 'incomplete_number' } })).state,
    ).toBeNull();
  });

  test.each(['api_connection_error', 'api_error', 'rate_limit_error', 'invalid_request_error'])(
    'throws for a Stripe error of type %s, because the outcome is unknown',
    async (type) => {
      await expect(confirmWith({ error: { type } })).rejects.toMatchObject({ code: 'unreachable' });
    },
  );
});
