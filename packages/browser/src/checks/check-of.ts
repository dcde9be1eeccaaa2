import type { CallDefinition, Static, TSchema } from '@keyturn/contract';
import * as checks from './check.ts';
import { type CheckBuilder, convertSchema } from './convert-schema.ts';

/**
 * Creates the check of a contract schema. Call it only in the modules that `build/compile-checks.ts` lists: the build
 * compiles them, so that neither this function nor TypeBox reaches a browser.
 */
export function checkOf<Schema extends TSchema>(schema: Schema): checks.Check<Static<Schema>> {
  const check = convertSchema(schema, builder);
  // The build reads the schema.
  return Object.assign((value: unknown): value is Static<Schema> => check(value), { schema });
}

/** The calls of an API, of clients or of staff. */
type Calls = Readonly<Record<string, CallDefinition<unknown, string>>>;

/**
 * Creates the checks of an API’s answers, by call; null for a call that answers with a file or with nothing, both of which
 * have no JSON to check.
 */
export const answerChecksOf = (calls: Calls): Record<string, checks.Check<unknown> | null> =>
  Object.fromEntries(
    Object.entries(calls).map(([key, { data, meta }]) => [
      key,
      data
        ? checkOf(meta ? { type: 'object', required: ['data', 'meta'], properties: { data, meta } } : data)
        : null,
    ]),
  );

/** Returns the media types of the calls that answer with a file. */
export const answerFilesOf = (calls: Calls): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(calls).flatMap(([key, { file }]) => (file ? [[key, file]] : [])));

const builder = checks as unknown as CheckBuilder<checks.Check<unknown>>;
