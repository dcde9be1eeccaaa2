import type { CallAnswer, CallQuery } from '@keyturn/contract';
import type { PreviewedCall, StaffCallKey } from '@keyturn/contract/staff';
import type { ReadCalls } from '../../http/call-handlers.ts';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { auditPreview } from './audit-preview.ts';

export interface PreviewDependencies {
  database: Database;
  clock: Clock;
  /** The reads of the client API. */
  reads: ReadCalls<PreviewedCall>;
}

/**
 * Returns the handlers of the preview of a case as its clients see it. Each returns the same answer as the client’s
 * own call, from the same read. No session or token of the client is involved, and nothing but the audit log changes.
 */
export function previewHandlers({ database, clock, reads }: PreviewDependencies): StaffHandlers<PreviewKey> {
  const answer =
    <K extends PreviewedCall>(key: K) =>
    async ({ staff, params, query, address }: PreviewRequest<K>): Promise<CallAnswer<K>> => {
      const { id: caseId, client_id: clientId } = params;
      if (!isId(caseId) || !isId(clientId)) throw new DomainError('not_found');
      const found = await reads[key].read({ params: undefined as never, query }).forCase(database, {
        caseId,
        clientId,
      });
      await auditPreview(database, { staff, address, caseId, now: clock() });
      return found;
    };
  return {
    'GET /staff/cases/{id}/as/{client_id}/client': answer('GET /client'),
    'GET /staff/cases/{id}/as/{client_id}/milestones': answer('GET /milestones'),
    'GET /staff/cases/{id}/as/{client_id}/case-searches': answer('GET /case-searches'),
    'GET /staff/cases/{id}/as/{client_id}/documents': answer('GET /documents'),
    'GET /staff/cases/{id}/as/{client_id}/case-history': answer('GET /case-history'),
    'GET /staff/cases/{id}/as/{client_id}/bills': answer('GET /bills'),
    'GET /staff/cases/{id}/as/{client_id}/payments': answer('GET /payments'),
  };
}

type PreviewKey = Extract<StaffCallKey, `${string}/as/{client_id}/${string}`>;

interface PreviewRequest<K extends PreviewedCall> {
  staff: SignedInStaff;
  params: { id: string; client_id: string };
  query: CallQuery<K>;
  address: string;
}
