import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { ProviderKeyRejected } from '../../payments/ports/provider.ts';
import { RefundRefused } from '../../payments/ports/refunds.ts';
import { createRefund } from './refunds.ts';
import { toProviderError } from './to-provider-error.ts';

const refundWith = (error: Error) =>
  createRefund({ refunds: { create: () => Promise.reject(error) } } as unknown as Stripe, {
    intentId: 'pi_1',
    requestId: 'r1',
    amount: 100,
    reason: 'requested_by_customer',
    idempotencyKey: 'refund:r1:1',
  });

describe('a refund that Stripe refuses', () => {
  // How a refund without enough available balance is refused is not published, so every form is final.
  test.each([
    [400, 'balance_insufficient', 'balance_insufficient'],
    [400, undefined, 'invalid_request'],
    [402, 'insufficient_funds', 'insufficient_funds'],
    [402, undefined, 'invalid_request'],
  ])('is final with status %d and code %s', async (statusCode, code, expected) => {
    const raw = { type: 'invalid_request_error', statusCode, code, message: 'Too little.' } as never;
    const error = await refundWith(Stripe.errors.generateV1Error(raw)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefundRefused);
    expect(error).toMatchObject({ code: expected });
  });
});

test('an alert about a restricted key names the missing right, and neither the account nor the key', () => {
  const error = toProviderError(
    Stripe.errors.generateV1Error({
      type: 'invalid_request_error',
      statusCode: 403,
      requestId: 'req_1',
      message:
        "The provided key 'rk_live_*********abc123' does not have the required permissions for this endpoint on account 'acct_1ABC'. Having the 'rak_charge_read' permission would allow this request to continue.",
    } as never),
  );
  expect(error).toBeInstanceOf(ProviderKeyRejected);
  expect(error.message).toBe(
    'Stripe rejects the key: StripePermissionError, 403, req_1, missing right rak_charge_read',
  );
});
