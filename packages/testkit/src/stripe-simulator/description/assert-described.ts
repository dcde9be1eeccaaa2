import type { StripeSchema } from './description.ts';
import { description, differencesFrom, type ExpandTree, schemaOf, schemaOfObject } from './validate.ts';

/** A request, answer or webhook that differs from Stripe's description of its API. */
export class DescriptionMismatch extends Error {
  override name = 'DescriptionMismatch';
  readonly differences: readonly string[];

  /** @param place such as `the answer to GET /v1/refunds` */
  constructor(place: string, differences: readonly string[]) {
    super(`${place} differs from Stripe’s description:\n${differences.join('\n')}`);
    this.differences = differences.map((difference) => `${place}: ${difference}`);
  }
}

/**
 * Compares an answer with its description.
 * @param expanded the fields that the request expands
 * @throws DescriptionMismatch
 */
export function assertAnswer(
  call: string,
  schema: StripeSchema,
  answer: unknown,
  expanded: ExpandTree,
): void {
  assertDescribed(`the answer to ${call}`, differencesFrom(schema, toJson(answer), expanded));
}

/** Compares an error with Stripe's description of errors. @throws DescriptionMismatch */
export function assertError(error: unknown): void {
  const schema = schemaOf('ApiError');
  // Stripe answers with codes that the SDK does not list, such as `payment_method_types_no_longer_supported`.
  const open = { ...schema, properties: { ...schema.properties, code: { type: 'string' as const } } };
  assertDescribed('an error', differencesFrom(open, toJson(error)));
}

/** Compares an event with the descriptions of events and of its object. @throws DescriptionMismatch */
export function assertEvent(event: {
  type: string;
  data: { object: object; previous_attributes?: object };
}): void {
  const { object, previous_attributes: previous = {} } = event.data;
  const schema = schemaOfObject(object);
  // Each previous value must be valid for its field.
  const former = { ...schema, required: [] };
  assertDescribed(`the event ${event.type}`, [
    ...differencesFrom(schemaOf('Event'), toJson(event)),
    ...differencesFrom(schema, toJson(object)),
    ...differencesFrom(former, toJson(previous)),
  ]);
}

/** @param item the type of a list's items @returns the type of a page of a list */
export const pageOf = (item: StripeSchema): StripeSchema => ({
  type: 'object',
  properties: {
    object: { enum: ['list'] },
    data: { type: 'array', items: item },
    has_more: { type: 'boolean' },
    url: { type: 'string' },
  },
  required: ['object', 'data', 'has_more', 'url'],
});

/** The version of the API that the description describes. */
export const describedVersion = description.apiVersion;

function assertDescribed(place: string, differences: readonly string[]): void {
  if (differences.length > 0) throw new DescriptionMismatch(place, differences);
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
