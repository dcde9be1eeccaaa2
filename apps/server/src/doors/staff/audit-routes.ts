import { Readable } from 'node:stream';
import type { AuditCallKey, AuditEntry, TrailEntry } from '@keyturn/contract/staff';
import { addDays, londonDay } from '@keyturn/format/london-time';
import type { SQL } from 'drizzle-orm';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { type AuditAction, auditActions } from '../../platform/audit/audit-entry.ts';
import { byStaff, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { startOfLondonDay } from '../../platform/london-time.ts';
import { type AuditFilter, findNewestEntries, type LinkedEntry } from '../../records/audit/audit-store.ts';
import { auditLines } from '../../records/audit/export-audit.ts';
import { subjectsOfCase, subjectsOfPayment } from '../../records/audit/subjects-of-trail.ts';
import { verifyAudit } from '../../records/audit/verify-audit.ts';

/** The maximum number of entries in a trail. */
const maxTrail = 200;

/** Returns the handlers of the calls about the audit log. */
export const auditHandlers = ({
  database,
  clock,
}: {
  database: Connection;
  clock: Clock;
}): StaffHandlers<AuditCallKey> => ({
  'GET /staff/audit': async ({ query: { limit = 50, before = null, ...query } }) => {
    // Reads one entry more than requested, to know whether there are older ones.
    const found = await findNewestEntries(database, toFilter(query), { before, limit: limit + 1 });
    const shown = found.slice(0, limit);
    return {
      entries: shown.map(toAuditEntry),
      next_before: found.length > limit ? (shown.at(-1)?.position ?? null) : null,
      actions: [...auditActions],
    };
  },
  'POST /staff/audit/verify': async ({ body: { expected } }) => {
    const [position = '', hash = ''] = expected?.split(':') ?? [];
    const result = await verifyAudit(database, expected ? { position: Number(position), hash } : null);
    const head = result.isIntact ? result.head : null;
    return {
      verified_at: clock().toISOString(),
      problem: result.isIntact ? null : result.problem,
      head: head && `${head.position}:${head.hash}`,
    };
  },
  // The entry comes first: the download takes the log out of the installation.
  'GET /staff/audit/export': async ({ query: { format = 'csv', ...query }, staff, address }) => {
    const filter = toFilter(query);
    await recordAudit(database, {
      occurredAt: clock(),
      ...byStaff({ staff, address }),
      action: 'audit.export_requested',
      subject: { kind: 'audit_log', id: null },
      after: { format },
    });
    const days = [query.from, query.to].filter((day) => day !== undefined).join(' to ');
    return {
      content: Readable.from(auditLines(database, { filter, format }), { objectMode: false }),
      mediaType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      fileName: `Audit log ${days === '' ? londonDay(clock()) : days}.${format}`,
    };
  },
  'GET /staff/trail/{kind}/{id}': async ({
    params: { kind, id },
    query: { before = null, limit = maxTrail },
  }) => {
    const subjects = subjectsOf(kind);
    if (!subjects || !isId(id)) throw new DomainError('not_found');
    const filter = { subjects: subjects(id) };
    const found = await findNewestEntries(database, filter, { before, limit });
    return found.map(toTrailEntry);
  },
});

function subjectsOf(kind: string): ((id: string) => SQL) | null {
  if (kind === 'case') return subjectsOfCase;
  return kind === 'payment' ? subjectsOfPayment : null;
}

interface FilterQuery {
  actor?: string;
  action?: string;
  subject?: string;
  from?: string;
  to?: string;
}

/** @throws DomainError `invalid_input` for an unknown action, which would find nothing */
function toFilter({ action, from, to, ...query }: FilterQuery): AuditFilter {
  const known = auditActions.find((name) => name === action);
  if (action !== undefined && !known) {
    throw new DomainError('invalid_input', { errors: { action: ['No such action is audited.'] } });
  }
  return {
    ...query,
    action: known satisfies AuditAction | undefined,
    since: from === undefined ? undefined : startOfLondonDay(from),
    until: to === undefined ? undefined : startOfLondonDay(addDays(to, 1)),
  };
}

const toAuditEntry = (linked: LinkedEntry): AuditEntry => ({
  ...toTrailEntry(linked),
  actor: linked.entry.actor,
  address: linked.entry.address,
});

const toTrailEntry = ({ position, entry }: LinkedEntry): TrailEntry => ({
  position,
  id: entry.id,
  at: entry.occurredAt.toISOString(),
  actor: { kind: entry.actor.kind, name: entry.actor.name },
  action: entry.action,
  subject: entry.subject,
  before: entry.before,
  after: entry.after,
});
