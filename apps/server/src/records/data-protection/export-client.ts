import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { type ClientFile, findClientFiles, readClientRecords } from './client-records.ts';
import type { ArchivedFile, ExportedFiles } from './ports.ts';

export interface ClientExport {
  /** The files of the archive, for one reader, which reads one after another. */
  files: AsyncIterable<ArchivedFile>;
  /** What the archive contains; complete once all files have been read. */
  contents: {
    records: number;
    /** Documents, signed copies and receipts. */
    files: number;
    /** The names of files that are missing from the document store, or damaged there. */
    damaged: string[];
  };
}

/**
 * Exports everything that Keyturn has about a client. It is audited before the first file is read: an export takes
 * personal data out of the installation.
 */
export async function exportClient(
  { database, files, clock }: { database: Connection; files: ExportedFiles; clock: Clock },
  clientId: string,
  by: AuditedBy,
): Promise<ClientExport> {
  const at = clock();
  await recordAudit(database, {
    occurredAt: at,
    ...by,
    action: 'client.data_exported',
    subject: { kind: 'client', id: clientId },
  });
  const records = await readClientRecords(database, clientId);
  const found = await findClientFiles(database, clientId);
  const contents = {
    records: Object.values(records).reduce((sum, { length }) => sum + length, 0),
    files: 0,
    damaged: [],
  };
  const json = `${JSON.stringify({ exported_at: at.toISOString(), ...records }, null, 2)}\n`;
  return { files: archivedFiles({ json, found, files, contents }), contents };
}

/** Each file is verified before it is sent, so that a damaged one does not end the export. */
async function* archivedFiles({
  json,
  found,
  files,
  contents,
}: {
  json: string;
  found: readonly ClientFile[];
  files: ExportedFiles;
  contents: ClientExport['contents'];
}): AsyncIterable<ArchivedFile> {
  yield { name: 'client.json', content: bytesOf(json) };
  for (const { name, sha256, size } of found) {
    const measured = await files.measure(sha256, size + 1);
    if (measured?.sha256 !== sha256 || measured.size !== size) {
      contents.damaged.push(name);
      continue;
    }
    contents.files += 1;
    yield { name, content: size === 0 ? bytesOf('') : files.open(sha256, { start: 0, end: size - 1 }) };
  }
  if (contents.damaged.length > 0)
    yield { name: 'missing-files.txt', content: bytesOf(missingFiles(contents.damaged)) };
}

const missingFiles = (names: readonly string[]): string =>
  `These files are missing from the document store, or damaged there, and are not in this archive:\n\n${names.join('\n')}\n`;

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}
