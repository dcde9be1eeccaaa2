import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { rejectCardNumbers } from './reject-card-numbers.ts';

const errorFor = (...parts: unknown[]) => {
  try {
    rejectCardNumbers(...parts);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, errors: error.errors };
    throw error;
  }
};
const number = '4539 1488 0343 6467';
const messages = ['Do not type your card number here.'];

describe('rejectCardNumbers', () => {
  test.each([
    ['in a field', { reference: `my card ${number}` }, 'reference'],
    ['in a nested field', { payer: { names: ['Grace', number] } }, 'payer.names.1'],
    ['as the name of a field', { payer: { [number]: 1 } }, 'payer'],
    ['as the whole value', number, ''],
  ])('rejects a card number %s and names only the field', (_where, value, field) => {
    expect(errorFor(value)).toEqual({ code: 'invalid_input', errors: { [field]: messages } });
  });

  test('names every field of the body, the query and the headers that has a card number, up to 50', () => {
    const body = { reference: number, payer: { [number]: number, name: number }, amount: 1 };
    expect(errorFor({ search: number }, body, { 'idempotency-key': number })?.errors).toEqual({
      search: messages,
      reference: messages,
      payer: messages,
      'payer.name': messages,
      'idempotency-key': messages,
    });
    expect(Object.keys(errorFor(Array(60).fill(number))?.errors ?? {})).toHaveLength(50);
  });

  test('accepts a card number as a password, which is never stored as plain text', () => {
    expect(errorFor({ email: 'a@example.test', password: number })).toBeNull();
  });

  test('accepts the id of a connection, which has only digits', () => {
    expect(errorFor({ socket_id: '4539148803436467.1' })).toBeNull();
  });

  test.each([undefined, null, {}, [], { amount: 5_000, reference: 'Bill 118' }])(
    'does not mistake %j for a card number',
    (value) => {
      expect(errorFor(value)).toBeNull();
    },
  );
});
