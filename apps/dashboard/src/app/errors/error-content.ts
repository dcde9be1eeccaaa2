import { ApiError } from '../../api/client/api-error.ts';
import { MaintenanceError } from '../guards/maintenance.ts';

export interface ErrorContent {
  /** Null: none that says anything to a client. */
  statusCode?: number | null;
  /** Only what stands before a question mark is shown. */
  statusTitle?: string;
  message?: string | undefined;
  /** When it is expected to be over: an instant. */
  until?: string | null;
}

/** What the error page says: the given words, or the defaults of the status. */
export function errorContent({ statusCode = 503, statusTitle, message, until = null }: ErrorContent) {
  const title = statusTitle ?? titles[statusCode ?? 0] ?? 'Service Unavailable';
  return {
    statusCode,
    statusTitle: title.split('?')[0] ?? '',
    message: message ?? defaultMessages[statusCode ?? 0] ?? 'An unexpected error has occurred.',
    until,
  };
}

/** What was thrown while a screen loaded or drew itself. */
export function contentForError(error: unknown): ErrorContent {
  if (error instanceof MaintenanceError) {
    const { message, until } = error.notice;
    return { statusCode: 503, message: message ?? undefined, until };
  }
  if (error instanceof ApiError) return { statusCode: error.status, message: error.message };
  if (isMissingChunk(error)) {
    return { message: 'This page could not be loaded. Check your connection and try again.' };
  }
  return { statusCode: 500 };
}

/** What the error page shows is told there. Only what nobody foresaw goes to the console as well, and is reported. */
export function reportUnexpectedError(error: unknown, report: (error: unknown) => void): void {
  if (error instanceof MaintenanceError || error instanceof ApiError) return;
  console.error(error);
  report(error);
}

/** In the words of Chromium, Firefox, Safari and Vite's loader, in this order. */
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
