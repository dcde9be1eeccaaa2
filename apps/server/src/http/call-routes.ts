import { type CallDefinition, ErrorBody } from '@keyturn/contract';
import type { FastifyRequest, FastifySchema, preHandlerHookHandler, preValidationHookHandler } from 'fastify';
import { DomainError, type ErrorCode, errorCatalogue } from '../platform/domain-error.ts';
import { rejectCardNumbers } from './reject-card-numbers.ts';
import { rejectMalformedInput } from './reject-malformed-input.ts';

/** The code that the calls of clients and of staff share. */
export type RoutedCall = Omit<CallDefinition, 'access' | 'errors'> & { errors: readonly ErrorCode[] };

const maxIdLength = 300;

/** Returns the hooks that check the input of a call before and after its validation; none for a call without input. */
export function inputChecks(call: RoutedCall): {
  preValidation?: preValidationHookHandler;
  preHandler?: preHandlerHookHandler;
} {
  if (!call.params && !call.query && !call.body && !call.headers) return {};
  return {
    preValidation: (request, _reply, next) => {
      // No Keyturn id has this form, so the record does not exist.
      const ids = Object.values(request.params as Record<string, string>);
      if (ids.some((id) => id.length > maxIdLength)) throw new DomainError('not_found');
      rejectMalformedInput(request.params, '', 'not_found');
      if (call.body?.optional && (request.body === undefined || request.body === null)) request.body = {};
      next();
    },
    // After validation, which has limited the length of every text. Input that a call does not define is never read.
    preHandler: (request, _reply, next) => {
      const input = [
        call.query && request.query,
        call.body && request.body,
        call.headers && idempotencyKeyOf(request),
      ];
      for (const part of input) {
        rejectMalformedInput(part);
        rejectCardNumbers(part);
      }
      next();
    },
  };
}

const idempotencyKeyOf = ({ headers }: FastifyRequest) => ({ 'idempotency-key': headers['idempotency-key'] });

/**
 * Creates the schema of a call’s route, which validates the request and limits the answer.
 * @param more further parts of the schema
 */
export function routeSchema(key: string, call: RoutedCall, more: Record<string, unknown>): FastifySchema {
  const response: Record<string, unknown> = {};
  if (call.file) {
    const content = Object.fromEntries(
      call.file.map((mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }]),
    );
    response[200] = { description: 'The file', content };
  } else if (call.data) {
    const properties = { data: call.data, ...(call.meta ? { meta: call.meta } : {}) };
    response[200] = { type: 'object', properties, required: Object.keys(properties), description: 'Done' };
  } else {
    response[204] = { type: 'null', description: 'Done' };
  }
  const always = [
    'unexpected',
    'unavailable',
    'too_many_requests',
    ...(call.duringMaintenance ? [] : ['maintenance' as const]),
  ] as const;
  for (const code of [...call.errors, ...always]) {
    const { status, message } = errorCatalogue[code];
    response[status] ??= { ...ErrorBody, description: message };
  }
  const schema: FastifySchema & Record<string, unknown> = {
    summary: call.summary,
    operationId: key
      .replaceAll(/[^A-Za-z]+/g, '-')
      .toLowerCase()
      .replace(/-$/, ''),
    ...more,
    response,
  };
  if (call.params) schema.params = call.params;
  if (call.query) schema.querystring = call.query;
  if (call.headers) schema.headers = call.headers;
  if (call.body) schema.body = call.body.schema;
  return schema;
}

export const isMutating = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';
