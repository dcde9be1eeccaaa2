import { type CallDefinition, type CallKey, calls, ErrorBody, errorCatalogue } from '@keyturn/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify';
import { Refusal } from '../platform/refusal.ts';
import type { CallHandlers, SignedInClient } from './call-handlers.ts';
import { refuseHostileInput } from './refuse-hostile-input.ts';

export interface CallDependencies {
  handlers: CallHandlers;
  /** The client of an access token, or null. `touch`: this request counts as use of the session. */
  authenticate(token: string, options: { touch: boolean }): Promise<SignedInClient | null>;
}

/** Every call of the contract becomes a route: checked on the way in, cut to its schema on the way out. */
export function registerCalls(app: FastifyInstance, { handlers, authenticate }: CallDependencies): void {
  app.setValidatorCompiler(compileValidator());
  for (const key of Object.keys(calls) as CallKey[]) {
    const call: CallDefinition = calls[key];
    const [method, path] = key.split(' ') as [string, string];
    const handle = handlers[key] as (request: unknown) => Promise<unknown>;
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: routeSchema(key, call),
      onRequest: async (request) => {
        if (call.access === 'client') request.signedInClient = await signedInClient(request, authenticate);
      },
      preValidation: async (request) => {
        // No id of ours looks like that: it names nothing.
        refuseHostileInput(request.params, '', 'not_found');
        refuseHostileInput(request.query);
        refuseHostileInput(request.body);
        if (call.body?.optional && (request.body === undefined || request.body === null)) request.body = {};
      },
      handler: async (request, reply) => {
        const answer = await handle({
          params: request.params,
          query: request.query,
          body: request.body,
          idempotencyKey: request.headers['idempotency-key'],
          client: request.signedInClient,
          address: request.ip,
        });
        reply.header('cache-control', 'no-store');
        if (!call.data) return reply.code(204).send();
        return call.meta ? answer : { data: answer };
      },
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    signedInClient?: SignedInClient;
  }
}

async function signedInClient(request: FastifyRequest, authenticate: CallDependencies['authenticate']) {
  const [, token] = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? '') ?? [];
  // What an open page asks by itself does not keep a session alive.
  const touch = request.headers['x-activity'] !== 'background';
  const client = token ? await authenticate(token, { touch }) : null;
  if (!client) throw new Refusal('unauthenticated');
  return client;
}

function routeSchema(key: CallKey, call: CallDefinition): FastifySchema {
  const response: Record<string, unknown> = {};
  if (call.data) {
    const properties = { data: call.data, ...(call.meta ? { meta: call.meta } : {}) };
    response[200] = { type: 'object', properties, required: Object.keys(properties), description: 'Done' };
  } else {
    response[204] = { type: 'null', description: 'Done' };
  }
  for (const code of [...call.errors, 'unexpected', 'unavailable', 'maintenance'] as const) {
    const { status, message } = errorCatalogue[code];
    response[status] ??= { ...ErrorBody, description: message };
  }
  const schema: FastifySchema & Record<string, unknown> = {
    summary: call.summary,
    operationId: key
      .replaceAll(/[^A-Za-z]+/g, '-')
      .toLowerCase()
      .replace(/-$/, ''),
    security: call.access === 'client' ? [{ bearer: [] }] : [],
    response,
  };
  if (call.params) schema.params = call.params;
  if (call.query) schema.querystring = call.query;
  if (call.headers) schema.headers = call.headers;
  if (call.body) schema.body = call.body.schema;
  return schema;
}

/** Strict for bodies; texts become numbers only where the transport knows nothing but text. */
function compileValidator(): FastifySchemaCompiler<object> {
  const options = { allErrors: false, useDefaults: true, removeAdditional: false, strict: false } as const;
  const strict = new Ajv({ ...options, coerceTypes: false });
  const coercing = new Ajv({ ...options, coerceTypes: true });
  for (const ajv of [strict, coercing]) formats.default(ajv);
  return ({ schema, httpPart }): ValidateFunction =>
    (httpPart === 'body' ? strict : coercing).compile(schema);
}
