import type { AlertOperator } from '../../platform/alert-operator.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { describeError } from '../../platform/describe-error.ts';
import type { JobHandler } from '../../platform/jobs.ts';
import {
  type AuditHead,
  findAuditHead,
  recordOperation,
} from '../../platform/operations/completed-operations.ts';
import { auditLines } from './export-audit.ts';
import type { AuditArchive } from './ports.ts';
import { verifyAudit } from './verify-audit.ts';

export interface AuditWatchDependencies {
  database: Database;
  clock: Clock;
  alertOperator: AlertOperator;
  /** Null: the log is only verified. */
  archive: AuditArchive | null;
  /** The entries of a part, which is in memory while it is written; 20,000 by default. */
  maxEntries?: number;
}

/** Verifies the audit log every night, and archives its new entries. */
export const auditLogHandler = (dependencies: AuditWatchDependencies): JobHandler => ({
  name: 'verify-audit-log',
  schedule: '37 3 * * *',
  work: () => watchAuditLog(dependencies),
});

/** Verifies the audit log, including the entry up to which it was intact before, and archives its new entries. */
export async function watchAuditLog(dependencies: AuditWatchDependencies): Promise<void> {
  const { database, clock, alertOperator, archive } = dependencies;
  const result = await verifyAudit(database, await findAuditHead(database, 'audit_verification'));
  if (!result.isIntact) {
    alertOperator('the audit log is not intact: treat it as an incident', { problem: result.problem });
    return;
  }
  const { head } = result;
  await recordOperation(database, { operation: 'audit_verification', at: clock(), head });
  if (!archive || !head) return;
  try {
    await archiveEntries(dependencies, archive, head);
  } catch (error) {
    // The next run archives the same entries.
    alertOperator('the audit log could not be archived: see KEYTURN_AUDIT_ARCHIVE', {
      reason: describeError(error).message,
    });
  }
}

/** Archives the entries up to a verified one, audited before the first part is written. */
async function archiveEntries(
  { database, clock, maxEntries = 20_000 }: AuditWatchDependencies,
  archive: AuditArchive,
  until: AuditHead,
): Promise<void> {
  let archived = await findAuditHead(database, 'audit_archive');
  const first = (archived?.position ?? 0) + 1;
  if (first <= until.position)
    await recordAudit(database, {
      occurredAt: clock(),
      actor: { kind: 'system', id: null, name: 'Keyturn' },
      action: 'audit.archived',
      subject: { kind: 'audit_log', id: null },
      after: { to: archive.kind, first, last: until.position },
    });
  while ((archived?.position ?? 0) < until.position) {
    const after: number = archived?.position ?? 0;
    const part = await readPart(database, { after, until: Math.min(after + maxEntries, until.position) });
    await archive.write({ ...part, isFirst: archived === null });
    archived = part.last;
    await recordOperation(database, { operation: 'audit_archive', at: clock(), head: archived });
  }
}

/** Reads a part as JSON lines. Its name contains a hash, because a restored database has other entries at a position. */
async function readPart(database: Database, positions: { after: number; until: number }) {
  const lines: Buffer[] = [];
  const last: AuditHead = { position: 0, hash: '' };
  for await (const line of auditLines(
    database,
    { filter: { positions }, format: 'jsonl' },
    ({ position, hash }) => Object.assign(last, { position, hash: hash.toString('hex') }),
  ))
    lines.push(Buffer.from(line));
  const [from, to] = [positions.after + 1, last.position].map((position) =>
    String(position).padStart(9, '0'),
  );
  const name = `audit-${from}-${to}-${last.hash.slice(0, 16)}.jsonl`;
  return { name, content: Buffer.concat(lines), last };
}
