import type { ErrorCode } from '@keyturn/contract';

/** Failures on the way to the server or back. All of them have status 503. */
export type LocalErrorCode = 'offline' | 'unreachable' | 'timed_out' | 'unreadable';

/** A failed call. A call that its own caller aborts throws the abort reason instead. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 503 for a local failure. */
  readonly status: number;
  readonly code: ErrorCode | LocalErrorCode;
  /** For `invalid_input`: messages by the dotted path of the field. */
  readonly errors: Record<string, string[]>;
  /** Seconds to wait before a retry, if the server sent `Retry-After`. */
  readonly retryAfter: number | null;

  constructor(details: {
    status: number;
    code: ErrorCode | LocalErrorCode;
    message: string;
    errors?: Record<string, string[]>;
    retryAfter?: number | null;
  }) {
    super(details.message);
    this.status = details.status;
    this.code = details.code;
    this.errors = details.errors ?? {};
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** Creates the error of a failure on this side of the server, with its message. */
export function localFailure(code: LocalErrorCode): ApiError {
  return new ApiError({ status: 503, code, message: localMessages[code] });
}

/** Whether a call failed on its way to the server or back, and not because of an answer. */
export const isLocalFailure = ({ code }: ApiError): boolean => code in localMessages;

const localMessages: Record<LocalErrorCode, string> = {
  offline: 'You’re offline. Check your connection and try again.',
  unreachable: 'We can’t be reached at the moment. Check your connection and try again.',
  timed_out: 'This is taking longer than expected. Please try again.',
  unreadable: 'We received a response that we could not read. Please try again shortly.',
};

/** A failure in the browser whose message tells the person at the page what to do. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
}

/** Returns the message for people of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError || error instanceof UserFacingError
    ? error.message
    : 'An unexpected error has occurred.';
}

/** Whether a failed query is retried: twice at most, and only after failures that can pass. */
export const retryTransientErrors = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && error.status >= 500 && error.code !== 'maintenance';
