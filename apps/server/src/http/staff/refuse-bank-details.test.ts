import { feedRecords } from '@keyturn/contract';
import { type StaffCallDefinition, staffCalls } from '@keyturn/contract/staff';
import { createTestDatabase, type TestDatabase } from '@keyturn/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProblem } from '../../case-file/records/find-problem.ts';
import type { DomainError } from '../../platform/domain-error.ts';
import { valuesOf } from '../../testing/any-input/values-of-schema.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { refuseBankDetails } from './refuse-bank-details.ts';

interface Schema {
  type?: string;
  enum?: unknown;
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  pattern?: string;
  format?: string;
  maxLength?: number;
  minItems?: number;
}

const bankDetails = 'Sort code 20–00–00, account 12345678';

/** Whether the schema accepts any text that is long enough for bank details. */
const isFreeText = ({ type, enum: words, const: constant, pattern, format, maxLength = 1_000 }: Schema) =>
  type === 'string' &&
  words === undefined &&
  constant === undefined &&
  format === undefined &&
  maxLength >= bankDetails.length &&
  (pattern === undefined || new RegExp(pattern, 'u').test(bankDetails));

/** Never shown, or names of records. */
const exempt = new Set(['password', 'token', 'id', 'version', 'file_id', 'supersedes', 'key', 'reference']);

/** Returns a value of the schema for each of its texts, with bank details in that text. */
function valuesWithBankDetails(schema: Schema, name = ''): { field: string; value: unknown }[] {
  const known = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (isFreeText(known)) {
    return exempt.has(name) || name.endsWith('_id') ? [] : [{ field: '', value: bankDetails }];
  }
  if (known.items) {
    return valuesWithBankDetails(known.items, name).map(({ field, value }) => {
      const others = Array.from({ length: (known.minItems ?? 1) - 1 }, () => sample(known.items));
      return { field: `.0${field}`, value: [value, ...others] };
    });
  }
  return Object.entries(known.properties ?? {}).flatMap(([key, member]) =>
    valuesWithBankDetails(member, key).map(({ field, value }) => ({
      field: `.${key}${field}`,
      value: { ...(sample(known) as object), [key]: value },
    })),
  );
}

/** A value of a schema, the same on every run. */
const sample = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(fc.sample(valuesOf(schema), { numRuns: 1, seed: 38 })[0], (name, value) => {
      if (name === 'email') return 'ada@example.test';
      return name === 'version' && typeof value === 'string' ? '0123456789abcdef' : value;
    }),
  );

let stored: TestDatabase;
beforeAll(async () => {
  stored = await createTestDatabase();
});
afterAll(() => stored.drop());

test('refuses bank details in every text of every call of staff, opening hours, folders, paths and catalogue included', async () => {
  const served = await serveStaff(stored);
  const member = await openSession(stored, served, { role: 'admin' });
  const accepted: string[] = [];
  let count = 0;
  for (const [key, call] of Object.entries<StaffCallDefinition>(staffCalls)) {
    const [method, path] = key.split(' ') as ['POST', string];
    const url = path
      .replace(/^\/staff/, '')
      .replace('{matter_type}', 'purchase')
      .replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    for (const { field, value } of call.body ? valuesWithBankDetails(call.body.schema as Schema) : []) {
      count += 1;
      const answer = await member.call(method, url, value as object);
      const errors = answer.body.errors?.[field.slice(1)]?.[0] ?? '';
      if (answer.status !== 422 || !errors.includes('sort code')) {
        accepted.push(`${key} ${field}: ${answer.status} ${answer.text.slice(0, 200)}`);
      }
    }
  }
  expect(accepted).toEqual([]);
  expect(count).toBeGreaterThan(50);
});

test('asks about numbers that may be a bank account, names each field, and takes “no” for an answer', () => {
  const body = { title: '27.11.26 / 12345678', lines: [{ text: '200000 12345678' }, { text: 'a house' }] };
  const refusal = (value: object, isChecked: boolean) => {
    try {
      refuseBankDetails(value, { isChecked });
      return null;
    } catch (error) {
      const { code, errors } = error as DomainError;
      return { code, fields: Object.keys(errors ?? {}) };
    }
  };
  expect(refusal(body, false)).toEqual({ code: 'possible_bank_account', fields: ['title', 'lines.0.text'] });
  expect(refusal(body, true)).toBeNull();
  const certain = { ...body, explanation: bankDetails };
  for (const isChecked of [false, true])
    expect(refusal(certain, isChecked)).toEqual({ code: 'invalid_input', fields: ['explanation'] });
});

test('refuses bank details in every text of the case feed', () => {
  const accepted: string[] = [];
  for (const [list, schema] of Object.entries(feedRecords)) {
    for (const { field, value } of valuesWithBankDetails(schema as Schema)) {
      const name = field.split('.').findLast((part) => !/^\d*$/.test(part)) ?? '';
      if (/^(case|clients|matter|search|document|result_document)$/.test(name)) continue;
      const problem = findProblem(schema, value, '');
      if (!problem?.reason.includes('bank details')) accepted.push(`${list}${field}: ${problem?.reason}`);
    }
  }
  expect(accepted).toEqual([]);
});
