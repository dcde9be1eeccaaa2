import { describe, expect, test } from 'vitest';
import { attemptAfter, fieldOfRefusal, refusalWords } from './attempt-outcome.ts';

const attempt = { paymentId: 'payment', mark: '4', refusal: null };

describe('an attempt', () => {
  test('is refused for the reason that came after it', () => {
    const word = { status: 'requires_payment_method', revision: '5', refusal: 'card_declined' } as const;
    expect(attemptAfter(attempt, word)).toEqual({ ...attempt, refusal: 'card_declined' });
  });

  test('is not refused for the reason of the one before it', () => {
    const word = { status: 'requires_payment_method', revision: '4', refusal: 'card_declined' } as const;
    expect(attemptAfter(attempt, word).refusal).toBe('no_response');
  });

  test('that the bank never heard of is not heard', () => {
    const word = { status: 'requires_payment_method', revision: '4', refusal: null } as const;
    expect(attemptAfter(attempt, word).refusal).toBe('no_response');
  });

  test.each(['requires_action', 'processing', 'succeeded'] as const)('that is %s goes on', (status) => {
    expect(attemptAfter(attempt, { status, revision: '5', refusal: null })).toBe(attempt);
  });
});

describe('the words of a refusal', () => {
  test('say what happened first, then that nothing was charged, and whom to call', () => {
    expect(refusalWords('card_declined', '0117 496 0100')).toEqual({
      cause: 'Your bank declined this card.',
      remedy: 'You have not been charged. Try another card, or call us on 0117 496 0100.',
    });
  });

  test('blame no bank that was never asked', () => {
    expect(refusalWords('no_response')).toEqual({
      cause: 'We did not hear back in time.',
      remedy: 'You have not been charged. Try again.',
    });
  });
});

test.each([
  ['incorrect_cvc', 'securityCode'],
  ['expired_card', 'expiry'],
  ['test_card_required', 'number'],
  ['card_declined', null],
  ['insufficient_funds', null],
  ['authentication_failed', null],
  ['no_response', null],
])('%s is about %s', (code, field) => {
  expect(fieldOfRefusal(code)).toBe(field);
});
