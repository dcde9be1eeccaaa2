import { describe, expect, test } from 'vitest';
import { DomainError } from '../platform/domain-error.ts';
import { rejectCardNumbers } from './reject-card-numbers.ts';

const refusalOf = (value: unknown) => {
  try {
    rejectCardNumbers(value);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, errors: error.errors };
    throw error;
  }
};
const number = '4539 1488 0343 6467';
const here = ['Do not type your card number here.'];

describe('a card number', () => {
  test.each([
    ['in a field', { reference: `my card ${number}` }, 'reference'],
    ['deep inside', { payer: { names: ['Grace', number] } }, 'payer.names.1'],
    ['for the name of a field', { payer: { [number]: 1 } }, 'payer'],
    ['for the whole', number, ''],
  ])('%s is refused, and named by its place alone', (_where, value, field) => {
    expect(refusalOf(value)).toEqual({ code: 'invalid_input', errors: { [field]: here } });
  });

  test('may be a password, which is never kept as it comes', () => {
    expect(refusalOf({ email: 'a@example.test', password: number })).toBeNull();
  });

  test.each([undefined, null, {}, [], { amount: 5_000, reference: 'Bill 118' }])('is not in %j', (value) => {
    expect(refusalOf(value)).toBeNull();
  });
});
