import { removeInvisible } from '@keyturn/contract';
import type { FastifyRequest, preHandlerHookHandler, preValidationHookHandler } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import type { AnyCall } from '../call-handlers.ts';
import { rejectCardNumbers } from './reject-card-numbers.ts';
import { rejectMalformedInput } from './reject-malformed-input.ts';

const maxIdLength = 300;

/** Returns the hooks that check the input of a call before and after its validation; none for a call without input. */
export function inputChecks(call: AnyCall): {
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
      for (const part of [request.body, request.query]) cleanPastedFields(part);
      next();
    },
    // After validation, which has limited the length of every text. Input that a call does not define is never read.
    preHandler: (request, _reply, next) => {
      const input = [
        call.query && request.query,
        call.body && request.body,
        call.headers && idempotencyKeyOf(request),
      ];
      for (const part of input) rejectMalformedInput(part);
      rejectCardNumbers(...input);
      next();
    },
  };
}

/** Addresses, references and codes, which people paste from emails and documents. */
const pastedFields = ['email', 'receipt_email', 'reference', 'code', 'q', 'search'];

/** Removes invisible characters and outer spaces from the fields that people paste. */
function cleanPastedFields(part: unknown): void {
  if (part === null || typeof part !== 'object') return;
  const fields = part as Record<string, unknown>;
  for (const name of pastedFields) {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = removeInvisible(value).trim();
  }
}

const idempotencyKeyOf = ({ headers }: FastifyRequest) => ({ 'idempotency-key': headers['idempotency-key'] });
