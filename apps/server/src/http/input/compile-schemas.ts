import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifySerializerCompiler } from 'fastify';
import { createProblemFinder, type InputProblem } from '../../platform/requests/find-problems.ts';

/*
 * Both compile a schema when the first request needs it, once for all servers of the process. Compiling all of them took
 * a fifth of the server's start, and most of the error responses that the contract allows are never sent.
 * `compile-schemas.test.ts` compiles every schema.
 */

const options = { useDefaults: true, removeAdditional: false };
const findProblems = {
  strict: createProblemFinder({ ...options, coerceTypes: false }),
  coercing: createProblemFinder({ ...options, coerceTypes: true }),
};

/** Keyed by the schema as text, because each server creates its own objects for the same responses. */
const serialisers = new Map<string, (data: unknown) => string>();

/** Creates the compiler of validators: strict for bodies; paths, queries and headers convert text to numbers. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const find = findProblems[httpPart === 'body' ? 'strict' : 'coercing'];
    const validate: ReturnType<FastifySchemaCompiler<object>> = (data) => {
      const problems = find(schema, data);
      // Fastify reads the errors from the function.
      validate.errors = problems.length > 0 ? problems.map(errorOf) : null;
      return problems.length === 0;
    };
    return validate;
  };
}

const errorOf = ({ place, reason }: InputProblem): FastifySchemaValidationError => ({
  instancePath: place,
  message: reason,
  keyword: '',
  schemaPath: '',
  params: {},
});

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
