import { type ErrorCode as ClientErrorCode, errorCatalogue as clientErrors } from '@keyturn/contract';
import { type RecordConflict, type StaffErrorCode, staffErrorCatalogue } from '@keyturn/contract/staff';

/** The expected failures of all APIs. */
export const errorCatalogue = { ...clientErrors, ...staffErrorCatalogue };
export type ErrorCode = ClientErrorCode | StaffErrorCode;

/**
 * An expected failure with a code of the contract's catalogues. The HTTP layer answers with the status and body of the
 * code; any other error is unexpected and becomes a 500.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly errors: Record<string, string[]> | undefined;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The change of the record that happened meanwhile. */
  readonly conflict: RecordConflict | undefined;

  constructor(
    code: ErrorCode,
    details: {
      message?: string;
      errors?: Record<string, string[]>;
      retryAfter?: number;
      conflict?: RecordConflict;
    } = {},
  ) {
    super(details.message ?? errorCatalogue[code].message);
    this.name = 'DomainError';
    this.code = code;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
    this.conflict = details.conflict;
  }
}

/** @param field its path in the request @returns the error for one invalid field */
export const invalidInput = (field: string, reason: string): DomainError =>
  new DomainError('invalid_input', { errors: { [field]: [reason] } });

/** @returns the error for an edit that the state of the record does not allow @param message says why, and what to do */
export const notPossible = (message: string): DomainError =>
  new DomainError('edit_not_possible', { message });

/** @param message why a key or an endpoint cannot be changed, for people @returns the error */
export const integrationNotPossible = (message: string): DomainError =>
  new DomainError('integration_state', { message });
