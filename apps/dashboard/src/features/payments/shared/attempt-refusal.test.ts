import { cardRefusalCodes, cardRefusalMessage } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { fieldOfRefusal, refusalWords } from './attempt-refusal.ts';

test('a declined card: says what happened and what to do', () => {
  expect(refusalWords('card_declined')).toEqual({
    cause: 'Your bank declined this card.',
    remedy: 'Try another card',
  });
  expect(cardRefusalMessage('card_declined')).toBe(
    'Your bank declined this card. You have not been charged. Try another card.',
  );
});

test('an attempt without a response does not blame a bank that was never asked', () => {
  expect(refusalWords('no_response')).toEqual({
    cause: 'We did not hear back in time.',
    remedy: 'Try again',
  });
});

test('a refusal code unknown to us is a plain decline', () => {
  expect(cardRefusalMessage('reported_stolen')).toBe(cardRefusalMessage('card_declined'));
});

test('every refusal has a cause that is a sentence and a remedy without a full stop', () => {
  for (const code of cardRefusalCodes) {
    expect(refusalWords(code).cause).toMatch(/\.$/);
    expect(refusalWords(code).remedy).not.toMatch(/\.$/);
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
] as const)('shows the refusal %s at the field %s of the card form', (refusal, field) => {
  expect(fieldOfRefusal(refusal)).toBe(field);
});
