import type { PaymentIntentResult, Stripe, StripeElements } from '@stripe/stripe-js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmAtStripe } from './stripe-provider.ts';

beforeEach(() => vi.stubGlobal('location', { origin: 'https://clients.example.test' }));

/** What the screen is told after Stripe.js has answered this. */
async function wordAfter(result: unknown) {
  const asked: unknown[] = [];
  const stripe = {
    confirmPayment: async (options: unknown) => {
      asked.push(options);
      return result as PaymentIntentResult;
    },
  } as unknown as Stripe;
  const word = await confirmAtStripe(stripe, {} as StripeElements, 'Amelia Okafor');
  return { word, asked: asked[0] };
}

const open = { status: 'requires_payment_method', last_payment_error: null };
const refused = (id: string, code: string, decline_code?: string) => ({
  status: 'requires_payment_method',
  last_payment_error: { type: 'card_error', code, decline_code, payment_method: { id } },
});

describe('what Stripe.js says of a card', () => {
  test('that was taken is a status to wait for, and no more', async () => {
    const { word, asked } = await wordAfter({ paymentIntent: { ...open, status: 'succeeded' } });
    expect(word).toEqual({ status: 'succeeded', revision: 'none', refusal: null });
    expect(asked).toMatchObject({
      redirect: 'if_required',
      confirmParams: {
        return_url: 'https://clients.example.test/payment',
        payment_method_data: { billing_details: { name: 'Amelia Okafor' } },
      },
    });
  });

  test('that was declined is one of our own codes, never that it was stolen', async () => {
    const declined = async (decline_code: string) =>
      (await wordAfter({ error: { type: 'card_error', code: 'card_declined', decline_code } })).word?.refusal;
    expect(await declined('insufficient_funds')).toBe('insufficient_funds');
    expect(await declined('stolen_card')).toBe('card_declined');
  });

  test('whose bank said no has a mark of its own, each time', async () => {
    const after = async (id: string) =>
      (
        await wordAfter({
          error: {
            type: 'invalid_request_error',
            code: 'payment_intent_authentication_failure',
            payment_intent: refused(id, 'payment_intent_authentication_failure'),
          },
        })
      ).word;
    expect(await after('pm_1')).toEqual({
      status: 'requires_payment_method',
      revision: 'pm_1',
      refusal: 'authentication_failed',
    });
    expect((await after('pm_2'))?.revision).toBe('pm_2');
  });

  test('for an intent that was paid meanwhile leads to that', async () => {
    const error = {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: {
        status: 'succeeded',
        last_payment_error: refused('pm_1', 'card_declined').last_payment_error,
      },
    };
    expect((await wordAfter({ error })).word).toMatchObject({ status: 'succeeded', refusal: null });
  });

  test('that is not typed to its end is nothing: it was not sent', async () => {
    expect(
      (await wordAfter({ error: { type: 'validation_error', code: 'incomplete_number' } })).word,
    ).toBeNull();
  });

  test.each(['api_connection_error', 'api_error', 'rate_limit_error', 'invalid_request_error'])(
    'with an answer of %s leaves open what came of it',
    async (type) => {
      await expect(wordAfter({ error: { type } })).rejects.toMatchObject({ code: 'unreachable' });
    },
  );
});
