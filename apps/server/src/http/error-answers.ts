import { type ErrorBody, type ErrorCode, errorCatalogue } from '@keyturn/contract';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { describeError } from '../platform/describe-error.ts';
import { DomainError } from '../platform/domain-error.ts';

/** Every failure of the client API in its one form; what nobody expected is logged and told to nobody. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error);
  if (refusal.code === 'unexpected') request.log.error({ err: error }, 'unexpected failure');
  else if (errorCatalogue[refusal.code].status >= 500) {
    request.log.warn({ code: refusal.code, reason: describeError(error).message }, 'unavailable');
  }
  return answerRefusal(refusal, reply);
}

export function answerRefusal(refusal: DomainError, reply: FastifyReply): FastifyReply {
  const { status } = errorCatalogue[refusal.code];
  reply.refusalCode = refusal.code;
  const retryAfter = refusal.retryAfter ?? (status === 503 ? 5 : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const body: ErrorBody = { message: refusal.message, code: refusal.code };
  if (refusal.errors) body.errors = refusal.errors;
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(body));
}

function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const fastifyError = error as Partial<FastifyError>;
  if (fastifyError.validation) {
    return new DomainError('invalid_input', {
      errors: fieldErrors(fastifyError.validation, fastifyError.validationContext),
    });
  }
  const code = fastifyError.code ? expectedCodes[fastifyError.code] : undefined;
  if (code) return new DomainError(code);
  if (error instanceof SyntaxError && fastifyError.statusCode === 400)
    return new DomainError('malformed_json');
  if (databaseIsUnavailable(error)) return new DomainError('unavailable');
  // The framework's own words for a path or a file name that cannot be one.
  const { statusCode = 500 } = fastifyError;
  if (statusCode >= 400 && statusCode < 500) return new DomainError('not_found');
  return new DomainError('unexpected');
}

const expectedCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
};

function fieldErrors(validation: FastifySchemaValidationError[], context: string | undefined) {
  const errors: Record<string, string[]> = Object.create(null);
  for (const fault of validation) {
    const missing = fault.params.missingProperty;
    const unknown = fault.params.additionalProperty;
    const path = fault.instancePath.split('/').slice(1);
    if (typeof missing === 'string') path.push(missing);
    if (typeof unknown === 'string') path.push(unknown);
    const field = path.join('.') || context || 'body';
    const text =
      typeof missing === 'string'
        ? 'is required'
        : typeof unknown === 'string'
          ? 'is not known here'
          : (fault.message ?? 'is not right');
    errors[field] = [...(errors[field] ?? []), text];
  }
  return errors;
}

/**
 * PostgreSQL is gone, going, full or too busy, or gave up on this statement: the caller may try again. Codes:
 * PostgreSQL manual, appendix A.
 */
function databaseIsUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (
      typeof code === 'string' &&
      /^(08|53|57P|40001|40P01|55P03|57014|25P03|ECONN|EPIPE|ETIMEDOUT)/.test(code)
    )
      return true;
    if (
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
        cause.message,
      )
    ) {
      return true;
    }
  }
  return false;
}
