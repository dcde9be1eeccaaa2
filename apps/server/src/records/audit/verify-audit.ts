import { type AuditEntry, hashAuditEntry, linkAuditEntry } from '../../platform/audit/audit-entry.ts';
import { digestRedactions, type Redaction } from '../../platform/audit/redactions.ts';
import type { Connection } from '../../platform/database.ts';
import type { AuditHead } from '../../platform/operations/completed-operations.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { findUnlinkedEntry, type LinkedEntry, readEntries } from './audit-store.ts';

export type AuditVerification =
  /** `redactions`: the number of entries from which each erasure of a client has removed the name. */
  | { isIntact: true; head: AuditHead | null; redactions: Map<number, number> }
  /** `problem` names the first entry that breaks the chain. */
  | { isIntact: false; problem: string };

/**
 * Recomputes every hash of the audit log in one snapshot, because an erasure changes earlier entries when it adds its own.
 * @param expected a head that was recorded earlier; without it, the loss of the newest entries cannot be detected
 */
export const verifyAudit = (
  connection: Connection,
  expected: AuditHead | null = null,
): Promise<AuditVerification> =>
  runTransaction(connection, (snapshot) => verifyEntries(snapshot, expected), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });

async function verifyEntries(connection: Connection, expected: AuditHead | null): Promise<AuditVerification> {
  let head: AuditHead | null = null;
  let former: Buffer | null = null;
  const erasures = collectErasures();
  for await (const { position, entry, contentHash, hash, redaction } of readEntries(connection)) {
    const next: number = (head?.position ?? 0) + 1;
    if (position !== next) return broken(`entry ${next} is missing`);
    if (!hashAuditEntry(entry).equals(redaction?.remainingHash ?? contentHash)) {
      return broken(`entry ${position} (${entry.id}) was changed after it was written`);
    }
    if (!linkAuditEntry(former, contentHash).equals(hash)) {
      return broken(`entry ${position} (${entry.id}) does not follow the entry before it`);
    }
    erasures.add(entry, redaction);
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
  if (unlinked !== null) return broken(`entry ${unlinked} is not part of the chain`);
  const problem = erasures.findProblem();
  return problem === null ? { isIntact: true, head, redactions: erasures.counts() } : broken(problem);
}

/** Compares the redacted entries of each erasure with the hash in its audit entry. */
function collectErasures() {
  const found = new Map<number, Redaction[]>();
  const recorded = new Map<number, unknown>();
  return {
    add: ({ id, action, after }: AuditEntry, redaction: LinkedEntry['redaction']) => {
      if (action === 'client.erased') recorded.set(Number(after?.erasure), after?.redactions_sha256);
      if (redaction === null) return;
      const { erasureId, remainingHash } = redaction;
      const redactions = found.get(erasureId) ?? [];
      redactions.push({ entryId: id, remainingHash: remainingHash.toString('hex') });
      found.set(erasureId, redactions);
    },
    findProblem: (): string | null => {
      const differing = [...new Set([...found.keys(), ...recorded.keys()])].find(
        (erasure) => recorded.get(erasure) !== digestRedactions(found.get(erasure) ?? []),
      );
      return differing === undefined
        ? null
        : `the entries that erasure ${differing} removed names from are not those that it recorded`;
    },
    counts: () => new Map([...found].map(([erasure, { length }]) => [erasure, length])),
  };
}

const broken = (problem: string): AuditVerification => ({ isIntact: false, problem });
