import { describe, expect, test } from 'vitest';
import { groupDigits, readCard } from './card-input.ts';

const today = new Date(2026, 10, 21);
const good = { number: '4242 4242 4242 4242', expiry: '08 28', securityCode: '123', name: ' Amelia Okafor ' };
const faultsOf = (change: Partial<typeof good>) => {
  const result = readCard({ ...good, ...change }, today);
  return 'faults' in result ? result.faults : null;
};

describe('card details typed by the client', () => {
  test('card details accept spaces and dashes between the digits of the number', () => {
    const card = {
      number: '4242424242424242',
      exp_month: 8,
      exp_year: 2028,
      cvc: '123',
      name: 'Amelia Okafor',
    };
    for (const number of ['4242424242424242', '4242-4242-4242-4242', ' 4242 4242 4242 4242 ']) {
      expect(readCard({ ...good, number }, today)).toEqual({ card });
    }
  });

  test.each(['08 28', '8/28', '08/2028', '0828', '08 - 28', '8.2028'])(
    'card details accept the expiry date %s',
    (expiry) => {
      expect(readCard({ ...good, expiry }, today)).toMatchObject({ card: { exp_month: 8, exp_year: 2028 } });
    },
  );

  test('card details accept a card until the end of its expiry month', () => {
    expect(faultsOf({ expiry: '11 26' })).toBeNull();
    expect(faultsOf({ expiry: '10 26' })).toEqual({ expiry: 'This card has expired. Try another card.' });
  });

  test.each(['13 28', '00 28', '8', '28', '08 1999', 'August'])(
    'card details reject the expiry date "%s"',
    (expiry) => {
      expect(faultsOf({ expiry })).toHaveProperty('expiry');
    },
  );

  test('card details reject a number with a wrong digit before anything is sent', () => {
    expect(faultsOf({ number: '4242 4242 4242 4241' })).toHaveProperty('number');
  });

  test('card details reject a card number in the name field', () => {
    expect(faultsOf({ name: '4242 4242 4242 4242' })).toEqual({
      name: 'Do not type your card number here.',
    });
  });

  test('card details report every empty field', () => {
    const empty = { number: '', expiry: '', securityCode: '', name: '' };
    expect(Object.keys(faultsOf(empty) ?? {}).sort()).toEqual(['expiry', 'name', 'number', 'securityCode']);
  });

  test('card details show the number in groups of four digits', () => {
    expect(groupDigits('42424242424')).toBe('4242 4242 424');
    expect(groupDigits('4242 4242')).toBe('4242 4242');
  });
});
