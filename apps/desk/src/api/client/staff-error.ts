import { ApiError, type LocalErrorCode, UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import type { ErrorCode } from '@keyturn/contract';
import type { StaffErrorCode } from '@keyturn/contract/staff';

export { ApiError } from '@keyturn/browser/calls/api-error.ts';

export type DeskErrorCode = ErrorCode | StaffErrorCode | LocalErrorCode;

/** The code of a failed call; null for any other thrown value. */
export const codeOf = (error: unknown): DeskErrorCode | null =>
  error instanceof ApiError ? (error.code as DeskErrorCode) : null;

/** Returns the message for staff of any thrown value. */
export function errorText(error: unknown): string {
  if (error instanceof UserFacingError) return error.message;
  const code = codeOf(error);
  if (code === null) return 'Something went wrong on this page. Reload it and try again.';
  return deskMessages[code] ?? (error as ApiError).message;
}

/** The messages about the fields of a form, by the dotted path of the field; empty for any other failure. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  ['invalid_input', 'possible_bank_account'].includes(codeOf(error) ?? '')
    ? Object.fromEntries(
        Object.entries((error as ApiError).errors).map(([field, messages]) => [field, messages.join(' ')]),
      )
    : {};

/** Creates the error of a form with invalid entries. @param faults messages by the field’s path in the request */
export const invalidForm = (faults: Readonly<Record<string, string>>): ApiError =>
  new ApiError({
    status: 422,
    code: 'invalid_input',
    message: 'Some details are missing or invalid.',
    errors: Object.fromEntries(Object.entries(faults).map(([field, message]) => [field, [message]])),
  });

/** Messages for staff that replace the server’s. */
const deskMessages: Partial<Record<DeskErrorCode, string>> = {
  unreachable: 'The server can’t be reached. Check your connection and try again.',
  timed_out:
    'The server is taking longer than expected. It may still have received the change: reload to see.',
  unreadable: 'The server’s answer could not be read. Reload the page and try again.',
  not_found: 'This no longer exists. Someone may have removed it.',
  not_from_desk: 'Your session has changed in another tab. Reload the page and try again.',
  possible_bank_account: 'Nothing was sent. Give bank details by telephone, or in a document.',
  identity_not_confirmed: 'Nothing was changed, because you didn’t confirm that it’s you.',
  unexpected: 'The server had an unexpected problem. Try again, and tell your admin if it happens again.',
};
