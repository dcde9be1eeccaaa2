import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { toCsv } from '@keyturn/format/csv';
import { writeForOperator } from '../../platform/commands/file-not-written.ts';
import type { Connection } from '../../platform/database.ts';
import { type AuditFilter, type LinkedEntry, readEntries } from './audit-store.ts';

/** A spreadsheet, or one JSON object on each line. */
export type AuditFormat = 'csv' | 'jsonl';

/** Writes entries of the audit log as text, oldest first. @param onEntry called for each entry */
export async function* auditLines(
  connection: Connection,
  { filter, format }: { filter: AuditFilter; format: AuditFormat },
  onEntry: (linked: LinkedEntry) => void = () => {},
): AsyncGenerator<string> {
  if (format === 'csv') yield toCsv([columns]);
  for await (const linked of readEntries(connection, filter)) {
    onEntry(linked);
    // Only the first line of the file starts with a byte order mark.
    yield format === 'csv' ? toCsv([toCells(linked)]).slice(1) : `${JSON.stringify(toRecord(linked))}\n`;
  }
}

/**
 * Writes the audit log to a new file, entry by entry.
 * @returns how many entries were written
 * @throws FileNotWritten if the file exists, or its folder does not
 */
export async function exportAudit(
  connection: Connection,
  { filter, file, format }: { filter: AuditFilter; file: string; format: AuditFormat },
): Promise<number> {
  let count = 0;
  const lines = auditLines(connection, { filter, format }, () => {
    count += 1;
  });
  // Fails if the file exists, so that no earlier export is overwritten by mistake.
  await writeForOperator(file, () => pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 })));
  return count;
}

/** The fields of an exported entry, flat, so that both formats have the same names. */
function toRecord({ position, entry, contentHash, hash }: LinkedEntry) {
  const { id, occurredAt, actor, action, subject, address, before, after } = entry;
  return {
    position,
    id,
    occurred_at: occurredAt.toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action,
    subject_kind: subject.kind,
    subject_id: subject.id,
    address,
    before,
    after,
    content_hash: contentHash.toString('hex'),
    hash: hash.toString('hex'),
  };
}

const columns: (keyof ReturnType<typeof toRecord>)[] = [
  'position',
  'id',
  'occurred_at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'subject_kind',
  'subject_id',
  'address',
  'before',
  'after',
  'content_hash',
  'hash',
];

function toCells(linked: LinkedEntry): string[] {
  const record = toRecord(linked);
  return columns.map((column) => {
    const value = record[column];
    if (value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}
