import { ApiError, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { expect, test } from 'vitest';
import { whyNotYet } from './cancel-payment.tsx';

test('says that a payment is not cancelled only if the server has said so', () => {
  const refused = new ApiError({ status: 429, code: 'too_many_requests', message: 'Please wait.' });
  expect(whyNotYet(refused)).toMatch(/^It is not cancelled yet/);
  const failed = new ApiError({ status: 500, code: 'unexpected', message: 'Something went wrong.' });
  for (const error of [failed, localFailure('timed_out'), localFailure('offline'), new Error('unexpected')])
    expect(whyNotYet(error)).toMatch(/^We don’t know yet whether it was cancelled/);
});
