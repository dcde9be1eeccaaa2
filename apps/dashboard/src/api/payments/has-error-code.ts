import { ApiError } from '@keyturn/browser/calls/api-error.ts';

/** Whether a call failed with one of these codes. */
export const hasErrorCode = (error: unknown, ...codes: ApiError['code'][]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code);
