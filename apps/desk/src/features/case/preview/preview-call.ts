import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import type { PreviewedCall } from '@keyturn/contract/staff';
import { type Call, createCall } from '@keyturn/dashboard/api/client/call.ts';

export interface PreviewedCase {
  caseId: string;
  clientId: string;
}

/**
 * Creates the function with which the client’s screens make calls in the preview. It reads what this client sees of the
 * case with the session of the staff member, and refuses every other call.
 */
export function createPreviewCall({ caseId, clientId }: PreviewedCase, fetch = globalThis.fetch): Call {
  const read = createCall({
    baseUrl: `/api/staff/cases/${encodeURIComponent(caseId)}/as/${encodeURIComponent(clientId)}`,
    credential: () => null,
    onUnauthenticated: () => undefined,
    fetch,
  });
  return async (key, ...input) => {
    if (!Object.hasOwn(previewedCalls, key)) {
      throw new ApiError({
        status: 403,
        code: 'not_permitted',
        message: 'This doesn’t work in the preview.',
      });
    }
    return read(key, ...input);
  };
}

const previewedCalls: Record<PreviewedCall, true> = {
  'GET /client': true,
  'GET /milestones': true,
  'GET /case-searches': true,
  'GET /documents': true,
  'GET /case-history': true,
  'GET /bills': true,
  'GET /payments': true,
};

/** Reads the case and the client to show from the fragment of the address; null if it names none. */
export function previewedCaseFrom(hash: string): PreviewedCase | null {
  const [, caseId, clientId] = /^#([\w-]+)\/([\w-]+)$/.exec(hash) ?? [];
  return caseId && clientId ? { caseId, clientId } : null;
}
