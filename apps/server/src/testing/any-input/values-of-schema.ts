import { emailPattern } from '@keyturn/contract';
import fc from 'fast-check';
import { existingId, existingReference, oddText, storedIn } from './odd-values.ts';

/** The keywords of JSON Schema that the contract uses. */
interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

/**
 * Creates values that a schema accepts, apart from rare texts, so that broken ones differ from a valid value in one
 * place only.
 * @param name the name of the field, which shows what kind of record its ids belong to
 */
export function valuesOf(schema: unknown, name = ''): fc.Arbitrary<unknown> {
  const known = (schema ?? {}) as Schema;
  if (known.anyOf) return fc.oneof(...known.anyOf.map((one) => valuesOf(one, name)));
  if ('const' in known) return fc.constant(known.const);
  if (known.enum) return fc.constantFrom(...known.enum);
  switch (known.type) {
    case 'object':
      return objects(known);
    case 'array':
      return arrays(known, name);
    case 'string':
      return texts(known, name);
    case 'integer':
      return fc.integer(rangeOf(known));
    case 'number':
      return fc.integer(rangeOf(known)).map((number) => number / 2);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, name)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required });
}

function arrays({ items, minItems = 0, maxItems = 3 }: Schema, name: string): fc.Arbitrary<unknown> {
  const limits = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) };
  return fc.array(valuesOf(items, name), limits);
}

const rangeOf = ({ minimum = 0, maximum = 100_000 }: Schema) => ({
  min: Math.ceil(minimum),
  max: Math.floor(Math.max(maximum, minimum)),
});

const days = ['2026-11-23', '2026-12-01', '2024-02-29', '1999-12-31', '2031-01-01'];
const emails = fc.nat(20).map((number) => `person-${number}@example.test`);
const formats: Record<string, fc.Arbitrary<string>> = {
  date: fc.constantFrom(...days),
  'date-time': fc.constantFrom(...days.map((day) => `${day}T09:30:00.000Z`)),
  email: emails,
  uuid: existingId,
};

/** Fields that must name an existing record, or the request is rejected at once. */
const stored: Record<string, fc.Arbitrary<string>> = {
  client_secret: fc.constant(storedIn('sandbox_intents.client_secret')),
  sha256: fc.constant(storedIn('documents.sha256')),
  email: fc.constantFrom(...['clients.email', 'staff.email'].map(storedIn)),
  socket_id: fc.constantFrom('1.1', '123456.7890'),
  channel_name: fc.constantFrom(
    ...[
      'private-case.@@conveyancing_cases@@',
      'presence-case.@@conveyancing_cases@@',
      'private-client.@@clients@@',
    ],
  ),
};

function texts({ pattern, format, minLength = 0, maxLength = 60 }: Schema, name: string) {
  const ofRecord = stored[name];
  if (ofRecord) return ofRecord;
  const ofFormat = format === undefined ? undefined : formats[format];
  if (ofFormat) return ofFormat;
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) };
  if (/(^|_)id$/.test(name)) return fc.oneof(existingId, existingId, fc.uuid({ version: 4 }));
  if (/reference|^(case|matter|client|search|document|task)$/.test(name))
    return fc.oneof(existingReference, existingReference, fc.string(length));
  // fast-check has no lookahead.
  if (pattern === emailPattern) return emails;
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('Zoë O’Brien', 'Received', 'A longer text of a few words.') },
    { weight: 1, arbitrary: fc.string(length) },
    { weight: 1, arbitrary: oddText },
  );
}
