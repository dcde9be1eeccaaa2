import type { ErrorReportingConfig } from '@keyturn/contract';
import { replayIntegration } from '@sentry/react';
import { recordedCallPatterns } from './recorded-calls.ts';

/**
 * Records what is done on the page. Text and media are in it as they are, unless the firm masks them; what is typed
 * is masked everywhere. What carries `data-never-recorded` (payment forms, documents, signatures) is an empty box; and
 * so are passwords, of which a mask would tell the length, and frames, which are the payment provider's.
 */
export function recordSession({ mask_all }: ErrorReportingConfig, apiBaseUrl: string) {
  const { allowed, denied } = recordedCallPatterns(apiBaseUrl, location.origin);
  return replayIntegration({
    maskAllText: mask_all,
    blockAllMedia: mask_all,
    maskAllInputs: true,
    block: ['[data-never-recorded]', '[type="password"]', '[autocomplete$="-password"]', 'iframe'],
    // Compression wants a worker from the page's memory, which our policy does not allow.
    useCompression: false,
    networkDetailAllowUrls: mask_all ? [] : [allowed],
    networkDetailDenyUrls: [denied],
    networkCaptureBodies: true,
    networkRequestHeaders: [],
    networkResponseHeaders: ['x-request-id'],
  });
}
