import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifySerializerCompiler } from 'fastify';

/*
 * Both compile a schema when the first request needs it. Compiling all of them took a fifth of the server's start, and
 * most of the error responses that the contract allows are never sent. `compile-schemas.test.ts` compiles every schema.
 */

/** Creates the validator: strict for bodies; paths, queries and headers convert text to numbers. */
export function validatorCompiler(): FastifySchemaCompiler<object> {
  const options = { allErrors: false, useDefaults: true, removeAdditional: false, strict: false } as const;
  const strict = new Ajv({ ...options, coerceTypes: false });
  const coercing = new Ajv({ ...options, coerceTypes: true });
  for (const ajv of [strict, coercing]) formats.default(ajv);
  return ({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined;
    const validate: ReturnType<FastifySchemaCompiler<object>> = (data) => {
      compiled ??= (httpPart === 'body' ? strict : coercing).compile(schema);
      const isValid = compiled(data) as boolean;
      // Fastify reads them here, as Ajv does it.
      validate.errors = (compiled.errors ?? null) as FastifySchemaValidationError[] | null;
      return isValid;
    };
    return validate;
  };
}

/** Creates the serialiser, which limits a response to its schema. */
export function serialiserCompiler(): FastifySerializerCompiler<object> {
  return ({ schema }) => {
    let serialise: ((data: unknown) => string) | undefined;
    return (data) => {
      serialise ??= fastJsonStringify(schema);
      return serialise(data);
    };
  };
}
