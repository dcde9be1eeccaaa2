import type { ErrorCode } from '@keyturn/contract';
import { type Check, isArrayOf, isObjectOf, isString } from '../checks/check.ts';
import { ApiError, localFailure } from './api-error.ts';

/**
 * Parses the body of a response and unwraps it: a body with a `meta` field is returned whole, any other as its `data`.
 * @param isAnswer null for a call without a response body
 * @returns undefined for an empty body
 * @throws ApiError `unreadable` if the answer is not what the call promises
 */
export function readAnswer<T>(text: string, isAnswer: Check<T> | null): T {
  const body = text === '' ? undefined : parse(text);
  const answer = isObject(body) ? (Object.hasOwn(body, 'meta') ? body : body.data) : undefined;
  if (isAnswer ? !isAnswer(answer) : answer !== undefined) throw localFailure('unreadable');
  return answer as T;
}

/** Reads an error response. A response that is not from our server becomes a local failure. */
export function readErrorResponse(response: Response, text: string): ApiError {
  const retryAfter = secondsOf(response.headers.get('Retry-After'));
  const body = parse(text);
  if (isErrorBody(body)) {
    const errors = 'errors' in body && isFieldErrors(body.errors) ? body.errors : {};
    return new ApiError({
      status: response.status,
      code: body.code as ErrorCode,
      message: body.message,
      errors,
      retryAfter,
    });
  }
  if (response.status === 401) {
    return new ApiError({
      status: 401,
      code: 'unauthenticated',
      message: 'Your sign-in has expired. Please sign in again.',
    });
  }
  return localFailure('unreadable');
}

const isErrorBody = isObjectOf<{ message: string; code: string }>({ message: isString, code: isString });

const isTexts = isArrayOf(isString);
const isFieldErrors: Check<Record<string, string[]>> = (value): value is Record<string, string[]> =>
  isObject(value) && Object.values(value).every(isTexts);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads `Retry-After` in seconds; our server never sends the form with a date. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
