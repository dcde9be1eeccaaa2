import { ApiError } from '../../api/client/api-error.ts';
import { MaintenanceError } from '../guards/maintenance.ts';

export interface ErrorContent {
  /** Null hides the code, where it would mean nothing to a client. */
  statusCode?: number | null;
  /** Shown up to its first question mark. */
  statusTitle?: string;
  message?: string | undefined;
  /** The expected end, as an ISO 8601 instant. */
  until?: string | null;
}

/** Fills in what the error page shows with the defaults for the status code. */
export function errorContent({ statusCode = 503, statusTitle, message, until = null }: ErrorContent) {
  const title = statusTitle ?? titles[statusCode ?? 0] ?? 'Service Unavailable';
  return {
    statusCode,
    statusTitle: title.split('?')[0] ?? '',
    message: message ?? defaultMessages[statusCode ?? 0] ?? 'An unexpected error has occurred.',
    until,
  };
}

/** Returns what the error page shows for an error that a screen threw while loading or rendering. */
export function contentForError(error: unknown): ErrorContent {
  if (error instanceof MaintenanceError) {
    const { message, until } = error.notice;
    return { statusCode: 503, message: message ?? undefined, until };
  }
  if (error instanceof ApiError) return { statusCode: error.status, message: error.message };
  if (isMissingChunk(error)) {
    return { message: 'We couldn’t load this page. Check your connection and try again.' };
  }
  return { statusCode: 500 };
}

/** Logs and reports an error, unless it is one that the error page explains: maintenance or a failed API call. */
export function reportUnexpectedError(error: unknown, report: (error: unknown) => void): void {
  if (error instanceof MaintenanceError || error instanceof ApiError) return;
  console.error(error);
  report(error);
}

/** Recognises a chunk that did not load, by the messages of Chromium, Firefox, Safari and Vite's loader. */
export const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /fetch dynamically imported module|error loading dynamically|Importing a module script|Unable to preload/i.test(
    error.message,
  );

const defaultMessages: Record<number, string> = {
  404: 'The page you are looking for does not exist.',
  500: 'An unexpected error has occurred.',
  503: 'We are currently in maintenance, please try again later.',
};

const titles: Record<number, string> = {
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};
