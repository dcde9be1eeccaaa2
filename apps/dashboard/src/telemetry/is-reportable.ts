import type { ErrorEvent } from '@sentry/react';

/** Not what is no more than the end of a sign-in, nor what the data grid says of its licence. */
export function isReportable(
  { message, logentry, exception }: Pick<ErrorEvent, 'message' | 'logentry' | 'exception'>,
  originalException: unknown,
): boolean {
  if ((originalException as { status?: unknown } | null | undefined)?.status === 401) return false;
  const messages = [message, logentry?.message, ...(exception?.values ?? []).map(({ value }) => value)];
  return !messages.some((text) => text !== undefined && licenceWarning.test(text));
}

/** AG Grid's and AG Charts' words: `AG Grid Enterprise License`, `License Key Not Found`, and what goes on from there. */
const licenceWarning =
  /\bAG (Grid|Charts)\b.*\blicen[cs]e\b|\blicen[cs]e\b.*\bAG (Grid|Charts)\b|License Key Not Found/is;
