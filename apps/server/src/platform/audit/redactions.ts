import { hash } from 'node:crypto';
import { type AuditEntry, hashAuditEntry } from './audit-entry.ts';

/** An entry from which the erasure of a client removed the name and the IP address. */
export interface Redaction {
  entryId: string;
  /** The hash of what is left, in hex. */
  remainingHash: string;
}

/** The name in entries of clients who were erased. */
const erasedName = 'Erased client';

/** Computes the hash of what is left of an entry once its client is erased. */
export const hashRedactedEntry = (entry: AuditEntry): Buffer =>
  hashAuditEntry({ ...entry, actor: { ...entry.actor, name: erasedName }, address: null });

/** Computes one hash of all redactions of an erasure, in hex. The audit entry of the erasure contains it. */
export const digestRedactions = (redactions: readonly Redaction[]): string =>
  hash(
    'sha256',
    redactions
      .map(({ entryId, remainingHash }) => `${entryId} ${remainingHash}\n`)
      .sort()
      .join(''),
  );
