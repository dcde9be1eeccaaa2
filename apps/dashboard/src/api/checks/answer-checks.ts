import type { Check } from '@keyturn/browser/checks/check.ts';
import { checkOf } from '@keyturn/browser/checks/check-of.ts';
import { type CallAnswer, type CallDefinition, type CallKey, type Calls, calls } from '@keyturn/contract';

/*
 * The checks of all answers. Loaded together with the first request, so that the first view does not wait for them.
 * The build compiles this module.
 */

/** The result of a call after unwrapping: a Blob for a file, undefined for a 204. */
export type Answer<K extends CallKey> = Calls[K] extends { file: readonly string[] }
  ? Blob
  : [CallAnswer<K>] extends [never]
    ? undefined
    : CallAnswer<K>;

/** By call; null for a call that answers with a file or with nothing, both of which have no JSON to check. */
export const answerChecks = Object.fromEntries(
  Object.entries<CallDefinition>(calls).map(([key, { data, meta }]) => [
    key,
    data ? checkOf(meta ? wholeBody(data, meta) : data) : null,
  ]),
) as unknown as { [K in CallKey]: Check<Answer<K>> | null };

/** The calls that answer with a file. */
export const fileCalls = Object.entries<CallDefinition>(calls)
  .filter(([, { file }]) => file)
  .map(([key]) => key);

function wholeBody(data: object, meta: object) {
  return { type: 'object', required: ['data', 'meta'], properties: { data, meta } };
}
