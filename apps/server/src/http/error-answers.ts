import { defaultMessages, type ErrorBody } from '@keyturn/contract';
import type { RecordConflict } from '@keyturn/contract/staff';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { describeError } from '../platform/describe-error.ts';
import { DomainError, type ErrorCode, errorCatalogue } from '../platform/domain-error.ts';
import { isDatabaseDamaged, isTemporaryFailure } from '../platform/temporary-failure.ts';

/** Answers a failed request with the API's error body. Unexpected errors are logged, and their details kept private. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const domainError = asDomainError(error);
  if (isDatabaseDamaged(error)) {
    // An alert, even if the answer asks the client to try again.
    request.log.error(
      { err: error },
      'PostgreSQL cannot use its files: check the disk, and restore a backup if data is damaged',
    );
    return answerDomainError(domainError, reply);
  }
  if (domainError.code === 'unexpected') request.log.error({ err: error }, 'unexpected error');
  // Planned, and logged once when it starts.
  else if (domainError.code !== 'maintenance' && errorCatalogue[domainError.code].status >= 500) {
    request.log.warn(
      { code: domainError.code, reason: describeError(reasonOf(error)).message },
      'unavailable',
    );
  }
  return answerDomainError(domainError, reply);
}

/** Returns the error behind a failure that callers only see as its code. */
const reasonOf = (error: unknown) => (error instanceof DomainError && error.cause ? error.cause : error);

/** Answers with the status and the body of an expected failure, as the contract's catalogue defines them. */
export function answerDomainError(error: DomainError, reply: FastifyReply): FastifyReply {
  const { status } = errorCatalogue[error.code];
  reply.errorCode = error.code;
  const retryAfter = error.retryAfter ?? (status === 503 ? 5 : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const body: Omit<ErrorBody, 'code'> & { code: ErrorCode; conflict?: RecordConflict } = {
    message: error.message,
    code: error.code,
  };
  if (error.errors) body.errors = error.errors;
  if (error.conflict) body.conflict = error.conflict;
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(body));
}

/** The answer for a path without a route, as opposed to a record that does not exist. */
export const unknownPath = () => new DomainError('not_found', { message: defaultMessages[404] });

function asDomainError(error: unknown): DomainError {
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
  if (isTemporaryFailure(error)) return new DomainError('unavailable');
  // Fastify's own errors for malformed paths and file names.
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
  for (const { instancePath, message = 'is invalid' } of validation) {
    const field = instancePath.slice(1).replaceAll('/', '.') || context || 'body';
    errors[field] = [...(errors[field] ?? []), message];
  }
  return errors;
}
