import { Ajv, type ValidateFunction } from 'ajv';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifySerializerCompiler } from 'fastify';
import { addFormats } from '../../platform/requests/add-formats.ts';

/*
 * Both compile a schema when the first request needs it, once for all servers of the process. Compiling all of them took
 * a fifth of the server's start, and most of the error responses that the contract allows are never sent.
 * `compile-schemas.test.ts` compiles every schema.
 */

const options = { allErrors: false, useDefaults: true, removeAdditional: false, strict: false } as const;
/** Both keep what they have compiled. */
const strict = new Ajv({ ...options, coerceTypes: false });
const coercing = new Ajv({ ...options, coerceTypes: true });
for (const ajv of [strict, coercing]) addFormats(ajv);

/** Keyed by the schema as text, because each server creates its own objects for the same responses. */
const serialisers = new Map<string, (data: unknown) => string>();

/** Creates the compiler of validators: strict for bodies; paths, queries and headers convert text to numbers. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined;
    const validate: ReturnType<FastifySchemaCompiler<object>> = (data) => {
      compiled ??= (httpPart === 'body' ? strict : coercing).compile(schema);
      const isValid = compiled(data) as boolean;
      // Fastify reads the errors from the function, where Ajv writes them.
      validate.errors = (compiled.errors ?? null) as FastifySchemaValidationError[] | null;
      return isValid;
    };
    return validate;
  };
}

/** Creates the compiler of functions that write a response as JSON, limited to its schema. */
export function createSerialiserCompiler(): FastifySerializerCompiler<object> {
  return ({ schema }) => {
    let serialise: ((data: unknown) => string) | undefined;
    return (data) => {
      serialise ??= findSerialiser(schema);
      return serialise(data);
    };
  };
}

function findSerialiser(schema: object): (data: unknown) => string {
  const text = JSON.stringify(schema);
  const serialise = serialisers.get(text) ?? fastJsonStringify(schema);
  serialisers.set(text, serialise);
  return serialise;
}
