import { checkOf } from '@keyturn/browser/checks/check-of.ts';
import { CaseDocument, Client, Nullable, OneOf, PublicConfig } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { clientFixture, documentFixture } from '../../../fixtures/entities.ts';

test('the check of a schema accepts an entity with additional fields', () => {
  expect(checkOf(Client)(clientFixture())).toBe(true);
  expect(checkOf(Client)({ ...clientFixture(), added_later: 1 })).toBe(true);
});

test.each([
  ['a missing field', { email: undefined }],
  ['null where the schema does not allow it', { email: null }],
  ['an invalid timestamp', { created_at: '2026-11-24' }],
  ['an invalid nested field', { active_case: { id: 'case' } }],
  ['an invalid list item', { cases: [null] }],
])('the check of a schema rejects %s', (_, fields) => {
  expect(checkOf(Client)({ ...clientFixture(), ...fields })).toBe(false);
});

test('the check of a schema rejects a value that is not in an enumeration', () => {
  expect(checkOf(CaseDocument)(documentFixture({ group: 'elsewhere' as 'contract' }))).toBe(false);
});

test('the check of a schema distinguishes integers, numbers and days', () => {
  const { size } = CaseDocument.properties;
  expect(checkOf(size)(1.5)).toBe(false);
  expect(checkOf(Nullable(OneOf(['a', 'b'])))(null)).toBe(true);
  expect(checkOf(PublicConfig.properties.demonstration)('true')).toBe(false);
});

test('the check of a schema checks an optional field only if it is there', () => {
  const check = checkOf({ type: 'object', properties: { a: { type: 'string' } }, required: [] });
  expect([{}, { a: 'x' }, { a: 1 }, { a: null }].map(check)).toEqual([true, true, false, false]);
});

test('the check of a schema accepts any of several types, and null only if the schema does', () => {
  const check = checkOf({ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] });
  expect(['x', 1, null, true].map(check)).toEqual([true, true, true, false]);
  expect(checkOf({ anyOf: [{ type: 'string' }, { type: 'integer' }] })(null)).toBe(false);
});

test('the check of a schema checks each value of a record', () => {
  const check = checkOf({ type: 'object', patternProperties: { '^.*$': { type: 'integer' } } });
  expect([{}, { a: 1 }, { a: 'x' }, null, [1]].map(check)).toEqual([true, true, false, false, false]);
});

test('the check of a schema without constraints accepts every value', () => {
  expect(checkOf({ type: 'object', properties: { a: {} }, required: ['a'] })({ a: [1] })).toBe(true);
  expect(checkOf({ type: 'object', properties: { a: {} }, required: ['a'] })({})).toBe(false);
});

test('no check is created for a schema that it could not represent', () => {
  expect(() => checkOf({ allOf: [{ type: 'string' }] })).toThrow('no check can be made of the schema');
});
