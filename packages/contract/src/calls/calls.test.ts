import { expect, test } from 'vitest';
import { type CallDefinition, calls } from './calls.ts';

interface JsonSchema {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  additionalProperties?: boolean;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
}

/** Lists the parts of a schema that accept input of any length. */
function findUnlimited(schema: JsonSchema, path: string): string[] {
  if (schema.type === 'object') {
    const members = Object.entries(schema.properties ?? {});
    const open = schema.additionalProperties === false ? [] : [`${path} accepts unknown fields`];
    return [...open, ...members.flatMap(([name, member]) => findUnlimited(member, `${path}.${name}`))];
  }
  if (schema.type === 'array') {
    const open = schema.maxItems === undefined ? [`${path} has no maximum number of items`] : [];
    return [...open, ...findUnlimited(schema.items ?? {}, `${path}[]`)];
  }
  const isLimited =
    schema.type !== 'string' ||
    schema.maxLength !== undefined ||
    schema.enum !== undefined ||
    schema.const !== undefined ||
    /^\^[^*+]*\$$/.test(schema.pattern ?? '');
  return isLimited ? [] : [`${path} has no maximum length`];
}

test('limits the length of every text, list and object in the bodies and queries of calls', () => {
  const unlimited = Object.entries<CallDefinition>(calls).flatMap(([key, { query, body }]) => [
    ...(query ? findUnlimited(query as JsonSchema, `${key} query`) : []),
    ...(body ? findUnlimited(body.schema as JsonSchema, `${key} body`) : []),
  ]);
  expect(unlimited).toEqual([]);
});
