import { type ErrorCode, errorCatalogue } from '@keyturn/contract';

/**
 * An expected failure, named in the contract's catalogue. The HTTP layer turns it into its status and body;
 * anything else that is thrown is a surprise and answers 500.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly errors: Record<string, string[]> | undefined;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    details: { message?: string; errors?: Record<string, string[]>; retryAfter?: number } = {},
  ) {
    super(details.message ?? errorCatalogue[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
  }
}
