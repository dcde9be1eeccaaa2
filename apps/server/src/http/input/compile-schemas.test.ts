import { type CallDefinition, calls, ErrorBody } from '@keyturn/contract';
import fastJsonStringify from 'fast-json-stringify';
import { describe, expect, test } from 'vitest';
import { createValidatorCompiler } from './compile-schemas.ts';

const route = { method: 'GET', url: '/' };

/** The schemas of requests by the part of the request that they check. */
const requestSchemas = Object.entries(calls as Record<string, CallDefinition>).flatMap(([key, call]) =>
  Object.entries({
    params: call.params,
    querystring: call.query,
    headers: call.headers,
    body: call.body?.schema,
  })
    .filter(([, schema]) => schema !== undefined)
    .map(([httpPart, schema]) => ({ key, httpPart, schema: schema as object })),
);

describe('the schemas of the contract', () => {
  test.each(requestSchemas)('$key: the $httpPart can be validated', ({ httpPart, schema }) => {
    const validate = createValidatorCompiler()({ ...route, httpPart, schema });
    expect(validate({ 'no-such-property': 1 })).toBeTypeOf('boolean');
  });

  test('compiles a serialiser for every response in the contract', () => {
    const responses = Object.values(calls as Record<string, CallDefinition>)
      .flatMap((call) => [call.data, call.meta])
      .filter((schema) => schema !== undefined);
    for (const schema of [...responses, ErrorBody]) expect(() => fastJsonStringify(schema)).not.toThrow();
  });
});

test('a rejected input has the reason, and an accepted one after it has none', () => {
  const validate = createValidatorCompiler()({
    ...route,
    httpPart: 'body',
    schema: { type: 'object', properties: { age: { type: 'integer' } } },
  });
  expect(validate({ age: 'old' })).toBe(false);
  expect(validate.errors).toMatchObject([{ instancePath: '/age', message: 'must be a whole number' }]);
  expect(validate({ age: 80 })).toBe(true);
  expect(validate.errors).toBeNull();
});
