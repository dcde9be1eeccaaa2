import type { ErrorReportingConfig } from '@keyturn/contract';
import { replayIntegration } from '@sentry/react';

/**
 * Records what is done on the page. Text and media are in it as they are, unless the firm masks them; what is typed
 * is masked everywhere. What carries `data-never-recorded` (payment forms, documents, signatures) is an empty box.
 */
export function recordSession({ mask_all }: ErrorReportingConfig, apiBaseUrl: string) {
  return replayIntegration({
    maskAllText: mask_all,
    blockAllMedia: mask_all,
    maskAllInputs: true,
    block: ['[data-never-recorded]'],
    // Compression wants a worker from the page's memory, which our policy does not allow.
    useCompression: false,
    // Of calls to our own API alone more than the address is recorded, and of those that carry secrets or documents not.
    networkDetailAllowUrls: mask_all ? [] : [new URL(`${apiBaseUrl}/`, location.origin).href],
    networkDetailDenyUrls: callsWithSecrets,
    networkCaptureBodies: true,
    networkRequestHeaders: [],
    networkResponseHeaders: ['x-request-id'],
  });
}

const callsWithSecrets = [
  /\/(login|password|sandbox|broadcasting)(\/|$)/,
  /\/(other-)?payments/,
  /\/(content|receipt|signature)$/,
];
