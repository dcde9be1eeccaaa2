import { sql } from 'drizzle-orm';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type FindMalware, ScannerUnavailable } from '../../platform/files/find-malware.ts';
import { forEach } from '../../platform/for-each.ts';
import { readStoredFile } from '../../platform/stored-file.ts';
import type { DocumentFiles } from './ports.ts';

export interface ScanDependencies {
  database: Connection;
  clock: Clock;
  files: DocumentFiles;
  /** Null: no scanner is set. */
  findMalware: FindMalware | null;
}

/** A stored file of a document: the original, or one of its signed copies. */
type DocumentFile = {
  id: string;
  reference: string;
  title: string;
  case_reference: string;
  is_signed: boolean;
  is_withdrawn: boolean;
  sha256: string;
  /** Bytes. */
  size: number;
};

/** Files in a row that could not be scanned, after which the scanner is taken to be unavailable. */
const maxFailuresInARow = 8;

/**
 * Runs `keyturn document scan`: scans the stored files of all documents, also of those that were stored before a scanner
 * was set. Found malware is printed and audited; it is for the operator to withdraw the document.
 * @returns the exit code: 0 no malware found; 1 malware found, or not all files could be scanned
 */
export async function runScan(
  { database, clock, files, findMalware }: ScanDependencies,
  print: (line: string) => void,
): Promise<0 | 1> {
  if (findMalware === null) {
    print('No scanner is set. Set KEYTURN_VIRUS_SCANNER to the address of a ClamAV daemon.');
    return 1;
  }
  const count = { scanned: 0, found: 0, failed: 0 };
  let failuresInARow = 0;
  const scan = async (file: DocumentFile) => {
    const fail = (reason: string) => {
      count.failed += 1;
      print(`${nameOf(file)} could not be scanned: ${reason}`);
    };
    const content = await readFile(files, file);
    if ('reason' in content) return fail(`${content.reason}.`);
    try {
      const malware = await findMalware(content);
      failuresInARow = 0;
      count.scanned += 1;
      if (malware === null) return;
      count.found += 1;
      print(`${nameOf(file)} contains malware (${malware}). ${adviceFor(file)}`);
      await recordAudit(database, {
        occurredAt: clock(),
        actor: commandLineActor(),
        action: 'document.stored_malware_found',
        subject: { kind: 'document', id: file.reference },
        after: { malware, sha256: file.sha256, size: file.size },
      });
    } catch (error) {
      if (!(error instanceof ScannerUnavailable)) throw error;
      fail(error.reason);
      failuresInARow += 1;
      if (failuresInARow >= maxFailuresInARow) throw new ScannerLost();
    }
  };
  try {
    for await (const page of readPages(database)) {
      if (count.scanned > 0) print(`${filesOf(count.scanned)} scanned so far.`);
      await forEach(page, scan);
    }
  } catch (error) {
    if (!(error instanceof ScannerLost)) throw error;
    print(
      `The scan was stopped, because ${maxFailuresInARow} files in a row could not be scanned. Run it again.`,
    );
  }
  print(`${filesOf(count.scanned)} scanned, ${count.found} with malware, ${count.failed} not scanned.`);
  return count.found + count.failed === 0 ? 0 : 1;
}

class ScannerLost extends Error {
  override name = 'ScannerLost';
}

const filesOf = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

const nameOf = ({ title, reference, case_reference }: DocumentFile) =>
  `“${title}” (${reference}, case ${case_reference})`;

function adviceFor({ id, is_withdrawn, is_signed }: DocumentFile): string {
  if (is_withdrawn) return 'It is withdrawn: clients cannot open it.';
  if (is_signed)
    return 'Clients can open it. It is signed, so it cannot be withdrawn: call them, and share a new version.';
  return `Clients can open it. Withdraw it: keyturn document withdraw ${id} --malware`;
}

/** @returns the content, or the reason why it cannot be read */
async function readFile(
  files: DocumentFiles,
  { id, sha256, size }: DocumentFile,
): Promise<Buffer | { reason: string }> {
  let reason = '';
  try {
    return await readStoredFile(
      {
        files,
        alertOperator: (_, details) => {
          reason = String(details.reason);
        },
      },
      { documentId: id, sha256, size },
    );
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'document_damaged') throw error;
    return { reason };
  }
}

/** Documents whose files are read from the database at a time. */
const pageSize = 500;

/** Reads the files of all documents, in pages, because a firm may have a million. */
async function* readPages(connection: Connection): AsyncGenerator<DocumentFile[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await connection.execute<DocumentFile>(sql`
      select d.id, d.reference, d.title, c.reference as case_reference, d.withdrawn_at is not null as is_withdrawn,
        exists (select from document_signatures s where s.document_id = d.id) as is_signed, file.sha256, file.size
      from (select * from documents where id > ${after} order by id limit ${pageSize}) d
        join matters m on m.id = d.matter_id join conveyancing_cases c on c.id = m.case_id
        cross join lateral (
          select d.sha256, d.size
          union select f.sha256, f.size from document_signatures s
            join signed_files f on f.signature_id = s.id where s.document_id = d.id
        ) file
      order by d.id`);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}
