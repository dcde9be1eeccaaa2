import { ApiError, isLocalFailure } from '@keyturn/browser/calls/api-error.ts';
import { defaultMessages } from '@keyturn/contract';
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
    message: message ?? defaultMessages[statusCode ?? 0] ?? defaultMessages[500],
    until,
  };
}

/** Returns what the error page shows for an error that a screen threw while loading or rendering. */
export function contentForError(error: unknown): ErrorContent {
  if (error instanceof MaintenanceError) {
    const { message, until } = error.notice;
    return { statusCode: 503, message: message ?? undefined, until };
  }
  if (error instanceof ApiError) {
    const { status, code, message } = error;
    if (code === 'offline') return offline;
    if (isLocalFailure(error)) return { ...missingScreen, message };
    // For the client, a record that was not found is a page that does not exist.
    return { statusCode: status, message: code === 'not_found' ? undefined : message };
  }
  if (isMissingChunk(error)) return missingScreen;
  return { statusCode: 500 };
}

/** For a screen that failed to load while the browser is offline. */
export const offline: ErrorContent = {
  statusCode: null,
  statusTitle: 'You’re offline',
  message: 'We couldn’t load this page. It will open as soon as you’re back online.',
};

/** For a screen that failed to load for an unknown reason. */
export const missingScreen: ErrorContent = {
  statusCode: null,
  statusTitle: 'This page didn’t load',
  message: 'We couldn’t load this page. Check your connection and try again.',
};

/**
 * Logs and reports an error once, even if several screens catch it, unless the error page explains it: maintenance or
 * a failed API call.
 */
export function reportUnexpectedError(error: unknown, report: (error: unknown) => void): void {
  if (error instanceof MaintenanceError || error instanceof ApiError) return;
  if (error instanceof Error) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  console.error(error);
  report(error);
}

const reported = new WeakSet<Error>();

/** Recognises a chunk that did not load, by the messages of Chromium, Firefox, Safari and Vite's loader. */
export const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /fetch dynamically imported module|error loading dynamically|Importing a module script|Unable to preload/i.test(
    error.message,
  );

const titles: Record<number, string> = {
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};
