import { cardDeclineCodes, paymentFailureMessage } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { declineWords, fieldOfDecline } from './attempt-decline.ts';

test('a declined card: says what happened and what to do', () => {
  expect(declineWords('card_declined')).toEqual({
    cause: 'Your bank declined this card.',
    remedy: 'Try another card',
  });
  expect(paymentFailureMessage('card_declined')).toBe(
    'Your bank declined this card. You have not been charged. Try another card.',
  );
});

test('an attempt without a response does not blame a bank that was never asked', () => {
  expect(declineWords('no_response')).toEqual({
    cause: 'We did not hear back in time.',
    remedy: 'Try again',
  });
});

test('a decline code unknown to us is a plain decline', () => {
  expect(paymentFailureMessage('reported_stolen')).toBe(paymentFailureMessage('card_declined'));
});

test('every decline has a cause that is a sentence and a remedy without a full stop', () => {
  for (const code of cardDeclineCodes) {
    expect(declineWords(code).cause).toMatch(/\.$/);
    expect(declineWords(code).remedy).not.toMatch(/\.$/);
  }
});

test.each([
  ['incorrect_cvc', 'securityCode'],
  ['expired_card', 'expiry'],
  ['test_card_required', 'number'],
  ['card_declined', null],
  ['insufficient_funds', null],
  ['authentication_failed', null],
  ['no_response', null],
] as const)('shows the decline %s at the field %s of the card form', (decline, field) => {
  expect(fieldOfDecline(decline)).toBe(field);
});
