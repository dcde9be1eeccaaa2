import type { StripeDescription, StripeSchema } from './description.ts';
import json from './stripe-description.json' with { type: 'json' };

/** Which fields of an answer a request expands: `{ latest_charge: { refunds: {} } }`. */
export interface ExpandTree {
  [field: string]: ExpandTree;
}

/** Stripe's description of its API: objects, parameters and errors. */
export const description = json as unknown as StripeDescription;

/** @throws Error for a type that the description does not contain */
export function schemaOf(name: string): StripeSchema {
  const schema = description.types[name];
  if (!schema) throw new Error(`Stripe’s description contains no type ${name}`);
  return schema;
}

/**
 * Compares a value with its description.
 * @param expanded the fields that must contain objects; all others contain ids
 * @returns the differences, such as `latest_charge.paid: missing`; empty if there are none
 */
export function differencesFrom(schema: StripeSchema, value: unknown, expanded: ExpandTree = {}): string[] {
  const differences: string[] = [];
  compare(schema, value, { path: '', expanded, report: (difference) => differences.push(difference) });
  return differences;
}

interface Place {
  path: string;
  expanded: ExpandTree;
  report(difference: string): void;
}

function compare(schema: StripeSchema, value: unknown, place: Place): void {
  if (schema.$ref) compare(schemaOf(schema.$ref), value, place);
  else if (schema.anyOf) compareWithVariants(schema.anyOf, value, place);
  else if (schema.expandable !== undefined) compareReference(schema.expandable, value, place);
  else if (schema.enum) compareEnum(schema.enum, value, place);
  else if (schema.type === 'object') compareObject(schema, value, place);
  else if (schema.type === 'array') compareList(schema, value, place);
  else if (schema.type && schema.type !== typeOf(value)) fail(place, value, schema.type);
}

function compareEnum(values: readonly unknown[], value: unknown, place: Place): void {
  if (!values.includes(value)) fail(place, value, `one of ${values.join(', ')}`);
}

function compareList({ items = {} }: StripeSchema, value: unknown, place: Place): void {
  if (!Array.isArray(value)) {
    fail(place, value, 'a list');
    return;
  }
  value.forEach((item, index) => {
    compare(items, item, { ...place, path: `${place.path}[${index}]` });
  });
}

/** Compares with the variant that fits the value's type, so that a difference names the field. */
function compareWithVariants(variants: readonly StripeSchema[], value: unknown, place: Place): void {
  const candidates = variants.filter((variant) => fitsRoughly(variant, value));
  const attempts = candidates.map((variant) => {
    const differences: string[] = [];
    compare(variant, value, { ...place, report: (difference) => differences.push(difference) });
    return differences;
  });
  const best = attempts.sort((one, other) => one.length - other.length)[0];
  if (best) best.forEach(place.report);
  else fail(place, value, variants.map(({ type, enum: values }) => type ?? values?.join(', ')).join(' or '));
}

function fitsRoughly(schema: StripeSchema, value: unknown): boolean {
  if (schema.$ref) return fitsRoughly(schemaOf(schema.$ref), value);
  if (schema.anyOf) return schema.anyOf.some((variant) => fitsRoughly(variant, value));
  // An expanded reference is an object.
  if (schema.expandable !== undefined) return typeof value === 'string' || typeOf(value) === 'object';
  if (schema.enum) return schema.enum.some((item) => typeof item === typeof value);
  return schema.type === undefined || schema.type === typeOf(value);
}

/** An id, or the object where the request expands this field. */
function compareReference(target: string | null, value: unknown, place: Place): void {
  if (!isExpanded(place)) {
    if (typeof value !== 'string') fail(place, value, 'an id, because the request does not expand it');
  } else if (target === null || typeOf(value) !== 'object') fail(place, value, 'an expanded object');
  else compare(target === 'any' ? schemaOfObject(value) : schemaOf(target), value, place);
}

/** Whether the path to a place is part of the tree: its own branch then replaces the tree. */
const isExpanded = ({ expanded }: Place) => expanded !== notExpanded;

/** Marks a field that the request does not expand, unlike one whose fields are not expanded. */
const notExpanded: ExpandTree = {};

/** Finds the type of an object by its `object` field. */
export function schemaOfObject(value: unknown): StripeSchema {
  const name = (value as { object?: string }).object ?? '';
  const type = name
    .split('.')
    .at(-1)
    ?.split('_')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');
  return schemaOf(type ?? '');
}

function compareObject(schema: StripeSchema, value: unknown, place: Place): void {
  if (typeOf(value) !== 'object') {
    fail(place, value, 'an object');
    return;
  }
  const fields = value as Record<string, unknown>;
  const { properties = {}, required = [], additionalProperties } = schema;
  const at = (field: string): Place => ({
    ...place,
    path: place.path ? `${place.path}.${field}` : field,
    expanded: place.expanded[field] ?? notExpanded,
  });
  for (const field of required) {
    if (fields[field] === undefined) at(field).report(`${at(field).path}: missing`);
  }
  for (const [field, content] of Object.entries(fields)) {
    if (content === undefined) continue;
    const property = properties[field] ?? additionalProperties;
    if (!property) place.report(`${at(field).path}: unknown`);
    else if (property.onRequest && !(field in place.expanded)) {
      place.report(`${at(field).path}: only included where a request expands it`);
    } else compare(property, content, at(field));
  }
}

function fail(place: Place, value: unknown, expected: string): void {
  place.report(`${place.path || 'value'}: ${JSON.stringify(value)?.slice(0, 60)}, expected ${expected}`);
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
