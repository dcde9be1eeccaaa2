import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@keyturn/contract';
import { staffCalls } from '@keyturn/contract/staff';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { describe, expect, test } from 'vitest';
import { releases } from '../../apps/server/src/schema/releases.ts';
import { projectDirectory } from '../harness/start-product.ts';
import { git, hasWholeHistory } from './build-release.ts';
import { type ComparedCall, type Contract, compareContracts, type Schema } from './compare-contracts.ts';

const release = releases.at(-1) ?? { version: 'none', lastMigration: 0, commit: 'none' };

/**
 * Differences that do no harm. Servers of 0.2.0 leave the token out only if a page asks for it with `X-Session`. A desk of 0.2.0 is
 * refused a day of exchange alone, and reads neither a key that may record payouts nor a column with the right to cancel: it shows an
 * error until it is reloaded.
 */
const accepted: string[] = [
  ...['POST /login', 'POST /passkey/login'].map(
    (call) => `former servers, new pages: ${call} data.access_token is missing`,
  ),
  'new servers, former pages: GET /staff/feed-keys data[].scopes[] can be payouts:write',
  'new servers, former pages: PUT /staff/matters/{id}/dates body.changes.exchanged_on is not expected',
  ...[
    'POST /staff/spreadsheets',
    'GET /staff/spreadsheets/{id}',
    'POST /staff/spreadsheets/{id}/check',
    'POST /staff/spreadsheets/{id}/import',
    'POST /staff/spreadsheets/{id}/invitations',
  ].map((call) => `new servers, former pages: ${call} data.columns[].field is string instead of null`),
];

test.runIf(runLength({ short: hasWholeHistory(), long: true }))(
  `pages and servers of this version and of ${release.version} understand each other`,
  async () => {
    const former = await readContractOf(release.commit);
    expect(Object.keys(former).length).toBeGreaterThan(100);
    expect(compareContracts(former, { ...calls, ...staffCalls } as unknown as Contract)).toEqual(accepted);
  },
);

describe('comparing two contracts', () => {
  const text: Schema = { type: 'string' };
  const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
  const object = (fields: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema => ({
    type: 'object',
    properties: { ...fields, ...optional },
    required: Object.keys(fields),
  });
  const strict = (schema: Schema): Schema => ({ ...schema, additionalProperties: false });

  test('contracts that are equal differ in nothing', () => {
    const contract = { ...calls, ...staffCalls } as unknown as Contract;
    expect(compareContracts(contract, contract)).toEqual([]);
  });

  test.each<[string, ComparedCall, ComparedCall | undefined, string[]]>([
    ['a removed call', {}, undefined, ['GET /a was removed']],
    [
      'nothing if a field is added that pages do not require',
      { data: strict(object({ a: text })) },
      { data: object({ a: text }, { b: text }) },
      [],
    ],
    [
      'an added field that pages require',
      { data: object({ a: text }) },
      { data: object({ a: text, b: text }) },
      ['former servers, new pages: GET /a data.b is missing'],
    ],
    [
      'a removed field',
      { data: object({ a: text }) },
      { data: object({}) },
      ['new servers, former pages: GET /a data.a is missing'],
    ],
    [
      'a field that became optional, inside a list',
      { data: { type: 'array', items: object({ a: text }) } },
      { data: { type: 'array', items: object({}, { a: text }) } },
      ['new servers, former pages: GET /a data[].a can be missing'],
    ],
    [
      'a field that became null',
      { data: object({ a: text }) },
      { data: object({ a: orNull(text) }) },
      ['new servers, former pages: GET /a data.a is null instead of string'],
    ],
    [
      'a value that was added',
      { data: object({ a: { ...text, enum: ['one'] } }) },
      { data: object({ a: { ...text, enum: ['one', 'two'] } }) },
      ['new servers, former pages: GET /a data.a can be two'],
    ],
    [
      'an answer that was added',
      {},
      { data: object({}) },
      [
        'new servers, former pages: GET /a data is not expected',
        'former servers, new pages: GET /a data is missing',
      ],
    ],
    [
      'a body with a new field that is required, and without a former one',
      { body: { schema: object({ a: text }) } },
      { body: { schema: strict(object({ b: text })) } },
      [
        'new servers, former pages: GET /a body.b is missing',
        'new servers, former pages: GET /a body.a is not expected',
      ],
    ],
  ])('finds %s', (_, before, now, expected) => {
    expect(compareContracts({ 'GET /a': before }, now ? { 'GET /a': now } : {})).toEqual(expected);
  });
});

/** Reads the client's and the staff's calls of a commit. */
async function readContractOf(commit: string): Promise<Contract> {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-contract-'));
  try {
    execFileSync('tar', ['--extract', '--directory', folder], {
      input: git('archive', commit, 'packages/contract/src'),
    });
    symlinkSync(join(projectDirectory, 'node_modules'), join(folder, 'node_modules'));
    const sources = join(folder, 'packages/contract/src');
    const client = await import(join(sources, 'index.ts'));
    const staff = await import(join(sources, 'staff/staff-calls.ts'));
    return { ...client.calls, ...staff.staffCalls };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
