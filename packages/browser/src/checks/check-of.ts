import type { Static, TSchema } from '@keyturn/contract';
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

const builder = checks as unknown as CheckBuilder<checks.Check<unknown>>;
