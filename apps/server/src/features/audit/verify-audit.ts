import { hashAuditEntry, linkAuditEntry } from '../../platform/audit/audit-entry.ts';
import type { Connection } from '../../platform/database.ts';
import { findUnlinkedEntry, readEntries } from './audit-store.ts';

/** A position in the chain, to be recorded outside the database. */
export interface AuditHead {
  position: number;
  /** In hex. */
  hash: string;
}

export type AuditVerification =
  | { isIntact: true; head: AuditHead | null }
  /** `problem` names the first entry that breaks the chain. */
  | { isIntact: false; problem: string };

/**
 * Recomputes every hash of the audit log.
 * @param expected a head that was recorded earlier; without it, the loss of the newest entries cannot be detected
 */
export async function verifyAudit(
  connection: Connection,
  expected: AuditHead | null = null,
): Promise<AuditVerification> {
  let head: AuditHead | null = null;
  let former: Buffer | null = null;
  for await (const { position, entry, contentHash, hash } of readEntries(connection)) {
    const next: number = (head?.position ?? 0) + 1;
    if (position !== next) return broken(`entry ${next} is missing`);
    if (!hashAuditEntry(entry).equals(contentHash)) {
      return broken(`entry ${position} (${entry.id}) was changed after it was written`);
    }
    if (!linkAuditEntry(former, contentHash).equals(hash)) {
      return broken(`entry ${position} (${entry.id}) does not follow the entry before it`);
    }
    former = hash;
    head = { position, hash: hash.toString('hex') };
    if (expected?.position === position && expected.hash !== head.hash) {
      return broken(`entry ${position} (${entry.id}) is not the recorded one`);
    }
  }
  if (expected && (head?.position ?? 0) < expected.position) {
    return broken(`the log ends at entry ${head?.position ?? 0}, before entry ${expected.position}`);
  }
  const unlinked = await findUnlinkedEntry(connection);
  return unlinked === null ? { isIntact: true, head } : broken(`entry ${unlinked} is not part of the chain`);
}

const broken = (problem: string): AuditVerification => ({ isIntact: false, problem });
