import type { ErrorReportingConfig } from '@keyturn/contract';
import { replayIntegration } from '@sentry/react';
import { recordedCallPatterns } from './recorded-calls.ts';

export type SessionRecorder = ReturnType<typeof replayIntegration>;

/**
 * Creates what records the session for replay. Text and media are recorded unless the firm masks them; typed text is always masked.
 * Elements with `data-never-recorded` (payment forms, documents, signatures) appear as empty boxes. So do passwords,
 * because a mask would reveal their length, and frames, which belong to the payment provider.
 */
export function createSessionRecorder(
  { mask_all }: ErrorReportingConfig,
  apiBaseUrl: string,
): SessionRecorder {
  const { allowed, denied } = recordedCallPatterns(apiBaseUrl, location.origin);
  return replayIntegration({
    maskAllText: mask_all,
    blockAllMedia: mask_all,
    maskAllInputs: true,
    block: ['[data-never-recorded]', '[type="password"]', '[autocomplete$="-password"]', 'iframe'],
    // Compression runs in a worker from a blob: URL, which our content security policy forbids.
    useCompression: false,
    networkDetailAllowUrls: mask_all ? [] : [allowed],
    networkDetailDenyUrls: [denied],
    networkCaptureBodies: true,
    networkRequestHeaders: [],
    networkResponseHeaders: ['x-request-id'],
  });
}
