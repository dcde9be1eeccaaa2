import { type CallDefinition, calls, feedRecords } from '@keyturn/contract';
import { feedCalls } from '@keyturn/contract/feed';
import { staffCalls } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { createProblemFinder } from './find-problems.ts';

const find = createProblemFinder({});
const exact = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const integers = { type: 'array', items: { type: 'integer' } };
const Person = exact(
  {
    name: { type: 'string', minLength: 1, maxLength: 5, pattern: '\\S' },
    email: { type: 'string', format: 'email' },
    vat_number: nullable({
      type: 'string',
      pattern: '^GB ?[0-9]{3} ?[0-9]{4} ?[0-9]{2}( ?[0-9]{3})?$',
    }),
    born_on: nullable({ type: 'string', format: 'date' }),
    ages: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 9 },
      minItems: 1,
      maxItems: 2,
    },
  },
  ['name', 'email', 'vat_number', 'born_on'],
);
const valid = { name: 'Ada', email: 'ada@example.test', vat_number: null, born_on: null };

describe('createProblemFinder', () => {
  test('finds every invalid field of an input, in words', () => {
    const input = { name: ' ', email: 'x', vat_number: '12', born_on: '27/11/26', ages: [0, 10], colour: 1 };
    expect(find(Person, input)).toEqual([
      { place: '/colour', reason: 'is not a known field' },
      { place: '/name', reason: 'must not be empty' },
      { place: '/email', reason: 'must be an email address such as name@example.com' },
      { place: '/vat_number', reason: 'must be a VAT number such as GB 123 4567 89' },
      {
        place: '/born_on',
        reason:
          'must be a day from 1900 to 2199 such as 2026-11-27: 27/11/26 could be 2026-11-27 or 2027-11-26',
      },
      { place: '/ages/0', reason: 'must be 1 or more' },
      { place: '/ages/1', reason: 'must be 9 or less' },
    ]);
    expect(find(Person, valid)).toEqual([]);
  });

  test.each<[object, string, string]>([
    [{ name: '' }, '/name', 'must not be empty'],
    [{ name: 'Augusta' }, '/name', 'must have at most 5 characters'],
    [{ name: 5 }, '/name', 'must be text'],
    [{ vat_number: 5 }, '/vat_number', 'must be text or null'],
    [{ ages: {} }, '/ages', 'must be a list'],
    [{ ages: [] }, '/ages', 'must have at least 1 item'],
    [{ ages: [1, 2, 3] }, '/ages', 'must have at most 2 items'],
    [{ ages: [1.5] }, '/ages/0', 'must be a whole number'],
    [{ email: undefined }, '/email', 'is required'],
  ])('says of %j that %s %s', (change, place, reason) => {
    expect(find(Person, JSON.parse(JSON.stringify({ ...valid, ...change })))).toEqual([{ place, reason }]);
  });

  test('reports the alternative of a union that the value comes closest to', () => {
    const Paid = exact({ kind: { const: 'paid' }, pence: { type: 'integer' } });
    const Free = exact({ kind: { const: 'free' } });
    const Price = { anyOf: [Paid, Free] };
    expect(find(Price, { kind: 'paid', pence: 'x' })).toEqual([
      { place: '/pence', reason: 'must be a whole number' },
    ]);
    expect(find(Price, 5)).toEqual([{ place: '', reason: 'must be an object' }]);
    const Signing = { anyOf: [{ type: 'string', enum: ['simple', 'paper'] }, { type: 'null' }] };
    expect(find(Signing, 5)).toEqual([{ place: '', reason: 'must be text or null' }]);
    expect(find(Signing, 'x')).toEqual([{ place: '', reason: 'must be one of simple, paper' }]);
  });

  test('reports at most 50 problems', () => {
    expect(find(integers, Array(1_000).fill('x'))).toHaveLength(50);
  });

  test('hides a card number in the name of an unknown field, and shortens the name', () => {
    expect(find(Person, { ...valid, '4539148803436467': 1, ['b'.repeat(500)]: 1 })).toEqual([
      { place: '/[card number]', reason: 'is not a known field' },
      { place: `/${'b'.repeat(60)}`, reason: 'is not a known field' },
    ]);
  });

  test.each<[string, object, unknown]>([
    ['100,000 invalid items', integers, Array(100_000).fill('x')],
    [
      '100,000 invalid objects',
      { type: 'array', items: Person },
      Array.from({ length: 100_000 }, () => ({ name: 1 })),
    ],
    [
      '100,000 unknown fields',
      Person,
      Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1])),
    ],
    [
      'a long text',
      exact({ a: { type: 'integer' }, email: { type: 'string', maxLength: 320, format: 'email' } }),
      { a: 'x', email: `a@${'a.'.repeat(500_000)}` },
    ],
  ])('finds one problem of an input with %s in little time', (_what, schema, input) => {
    find(schema, null);
    const started = performance.now();
    expect(find(schema, input)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

test('every pattern and format of a request has words', () => {
  const definitions = Object.values<CallDefinition<unknown, string>>({
    ...calls,
    ...staffCalls,
    ...feedCalls,
  });
  const schemas = definitions.map(({ params, query, headers, body }) => [params, query, headers, body]);
  const named = new Set<string>();
  collect([schemas, feedRecords]);
  const withoutWords = [...named].filter((text) => {
    const [keyword = '', value = ''] = JSON.parse(text);
    return find({ type: 'string', [keyword]: value }, '\0').some(({ reason }) => reason === 'is invalid');
  });
  expect(named.size).toBeGreaterThan(10);
  expect(withoutWords).toEqual([]);

  function collect(schema: unknown): void {
    if (schema === null || typeof schema !== 'object') return;
    for (const [key, value] of Object.entries(schema)) {
      if ((key === 'pattern' || key === 'format') && typeof value === 'string')
        named.add(JSON.stringify([key, value]));
      else collect(value);
    }
  }
});
