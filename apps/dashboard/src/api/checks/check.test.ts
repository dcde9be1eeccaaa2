import { describe, expect, test } from 'vitest';
import { isArrayOf, isDay, isInstant, isInteger, isNullOr, isObjectOf, isOneOf, isString } from './check.ts';

describe('a check of a value from outside', () => {
  const isPerson = isObjectOf<{ name: string; age: number | null }>({
    name: isString,
    age: isNullOr(isInteger),
  });

  test('passes a record with every field, whatever else it has', () => {
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
  ])('refuses %j', (value) => {
    expect(isPerson(value)).toBe(false);
  });

  test('does not take a field from the prototype for a field', () => {
    expect(
      isObjectOf<{ toString: string }>({ toString: (value): value is string => value !== undefined })({}),
    ).toBe(false);
  });

  test('looks at each member of a list', () => {
    expect(isArrayOf(isString)(['a', 'b'])).toBe(true);
    expect(isArrayOf(isString)(['a', 1])).toBe(false);
    expect(isArrayOf(isString)('ab')).toBe(false);
  });

  test('knows the words of a closed list', () => {
    expect(isOneOf(['sale', 'purchase'])('sale')).toBe(true);
    expect(isOneOf(['sale', 'purchase'])('rent')).toBe(false);
  });

  test.each(['2026-02-30', '2026-13-01', '2026-1-1', '20261124', 'tomorrow', ''])('%j is no day', (value) => {
    expect(isDay(value)).toBe(false);
  });

  test('takes the 29th of February in a leap year only', () => {
    expect(isDay('2028-02-29')).toBe(true);
    expect(isDay('2026-02-29')).toBe(false);
  });

  test.each(['2026-11-24', '2026-11-24T25:00:00Z', 'now'])('%j is no instant', (value) => {
    expect(isInstant(value)).toBe(false);
  });
});
