import type { ErrorEvent } from '@sentry/react';

/** Whether an event deserves a report: not an expired sign-in, and not a licence notice of the data grid. */
export function isReportable(
  { message, logentry, exception }: Pick<ErrorEvent, 'message' | 'logentry' | 'exception'>,
  originalException: unknown,
): boolean {
  if ((originalException as { status?: unknown } | null | undefined)?.status === 401) return false;
  const messages = [message, logentry?.message, ...(exception?.values ?? []).map(({ value }) => value)];
  return !messages.some((text) => text !== undefined && licenceWarning.test(text));
}

/** Matches what AG Grid and AG Charts log about their licence, such as `License Key Not Found`. */
const licenceWarning =
  /\bAG (Grid|Charts)\b.*\b(licence|license)\b|\b(licence|license)\b.*\bAG (Grid|Charts)\b|License Key Not Found/is;
