import type { ErrorCode } from '@keyturn/contract';

/** Failures that never reached the server, or whose answer could not be read. All of them have status 503. */
export type LocalErrorCode = 'offline' | 'unreachable' | 'timed_out' | 'unreadable';

/** Every way in which a call fails, but for being aborted by its own caller. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 503 for a local failure. */
  readonly status: number;
  readonly code: ErrorCode | LocalErrorCode;
  /** For `invalid_input`: texts by the field's dotted path. */
  readonly errors: Record<string, string[]>;
  /** Seconds to wait before asking again, where the server said so. */
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

export function localFailure(code: LocalErrorCode): ApiError {
  return new ApiError({ status: 503, code, message: localMessages[code] });
}

const localMessages: Record<LocalErrorCode, string> = {
  offline: 'You are offline. Check your connection and try again.',
  unreachable: 'We cannot be reached at the moment. Check your connection and try again.',
  timed_out: 'This is taking longer than it should. Please try again.',
  unreadable: 'We got an answer that we could not read. Please try again shortly.',
};

/** The failure in words for people, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'An unexpected error has occurred.';
}

/**
 * Whether a failed call is made again by itself. A refusal stays a refusal; what could not be reached or read may work
 * the next time.
 */
export const retryTransientErrors = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && error.status >= 500 && error.code !== 'maintenance';
