import { describe, expect, test } from 'vitest';
import { groupDigits, readCard } from './card-input.ts';

const today = new Date(2026, 10, 21);
const good = { number: '4242 4242 4242 4242', expiry: '08 28', securityCode: '123', name: ' Amelia Okafor ' };
const faultsOf = (change: Partial<typeof good>) => {
  const result = readCard({ ...good, ...change }, today);
  return 'faults' in result ? result.faults : null;
};

describe('a card as typed', () => {
  test('is read whatever stands between its digits', () => {
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
    'may write its expiry as %s',
    (expiry) => {
      expect(readCard({ ...good, expiry }, today)).toMatchObject({ card: { exp_month: 8, exp_year: 2028 } });
    },
  );

  test('holds to the end of its month and not beyond', () => {
    expect(faultsOf({ expiry: '11 26' })).toBeNull();
    expect(faultsOf({ expiry: '10 26' })).toEqual({ expiry: 'This card has expired. Try another card.' });
  });

  test.each(['13 28', '00 28', '8', '28', '08 1999', 'August'])('cannot expire in "%s"', (expiry) => {
    expect(faultsOf({ expiry })).toHaveProperty('expiry');
  });

  test('with one digit wrong is noticed before anything is sent', () => {
    expect(faultsOf({ number: '4242 4242 4242 4241' })).toHaveProperty('number');
  });

  test('has its number in one field, and not in that of the name', () => {
    expect(faultsOf({ name: '4242 4242 4242 4242' })).toEqual({
      name: 'Do not type your card number here.',
    });
  });

  test('left empty names every field', () => {
    const empty = { number: '', expiry: '', securityCode: '', name: '' };
    expect(Object.keys(faultsOf(empty) ?? {}).sort()).toEqual(['expiry', 'name', 'number', 'securityCode']);
  });

  test('is shown in groups of four', () => {
    expect(groupDigits('42424242424')).toBe('4242 4242 424');
    expect(groupDigits('4242 4242')).toBe('4242 4242');
  });
});
