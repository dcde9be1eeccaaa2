import { describe, expect, test } from 'vitest';
import { isArrayOf, isDay, isInstant, isInteger, isNullOr, isObjectOf, isOneOf, isString } from './check.ts';

describe('the checks of values from outside', () => {
  const isPerson = isObjectOf<{ name: string; age: number | null }>({
    name: isString,
    age: isNullOr(isInteger),
  });

  test('isObjectOf accepts an object with additional fields', () => {
    expect(isPerson({ name: 'Amelia', age: null, extra: 1 })).toBe(true);
  });

  test.each([
    null,
    undefined,
    'text',
    5,
    [],
    {},
    { name: 'Amelia' },
    { name: 5, age: 5 },
    { name: 'A', age: 1.5 },
  ])('isObjectOf rejects %j', (value) => {
    expect(isPerson(value)).toBe(false);
  });

  test('fault 51: isObjectOf ignores fields of the prototype', () => {
    expect(
      isObjectOf<{ toString: string }>({ toString: (value): value is string => value !== undefined })({}),
    ).toBe(false);
  });

  test('isArrayOf checks every item', () => {
    expect(isArrayOf(isString)(['a', 'b'])).toBe(true);
    expect(isArrayOf(isString)(['a', 1])).toBe(false);
    expect(isArrayOf(isString)('ab')).toBe(false);
  });

  test('isOneOf accepts only the listed values', () => {
    expect(isOneOf(['sale', 'purchase'])('sale')).toBe(true);
    expect(isOneOf(['sale', 'purchase'])('rent')).toBe(false);
  });

  test.each(['2026-02-30', '2026-13-01', '2026-1-1', '20261124', 'tomorrow', ''])(
    'isDay rejects %j',
    (value) => {
      expect(isDay(value)).toBe(false);
    },
  );

  test('fault 50: isDay accepts 29 February only in leap years', () => {
    expect(isDay('2028-02-29')).toBe(true);
    expect(isDay('2026-02-29')).toBe(false);
  });

  test.each(['2026-11-24', '2026-11-24T25:00:00Z', 'now'])('isInstant rejects %j', (value) => {
    expect(isInstant(value)).toBe(false);
  });
});
