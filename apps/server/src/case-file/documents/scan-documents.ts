import { sql } from 'drizzle-orm';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type FindMalware, ScannerUnavailable } from '../../platform/files/find-malware.ts';
import { forEach } from '../../platform/files/for-each.ts';
import { FileStoreUnavailable, readStoredFile, reasonOf as storeReason } from '../../platform/stored-file.ts';
import type { DocumentFiles } from './ports.ts';
import { isMalwareReported } from './withdraw-document.ts';

export interface ScanCommandDependencies {
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
  is_signed_copy: boolean;
  sha256: string;
  /** Bytes. */
  size: number;
};

/** Files in a row that could not be scanned, after which the scanner or the document store counts as unavailable. */
const maxFailuresInARow = 8;

/**
 * Runs `keyturn document scan`: scans the stored files of all documents, also of those that were stored before a scanner
 * was set. Found malware is printed and audited; it is for a person to withdraw the document.
 * @returns the exit code: 0 no malware in a document that clients can open; 1 malware, or not all files could be scanned
 */
export async function runScan(
  dependencies: ScanCommandDependencies,
  print: (line: string) => void,
): Promise<0 | 1> {
  const { database, files, findMalware } = dependencies;
  if (findMalware === null) {
    print('No scanner is set. Set KEYTURN_VIRUS_SCANNER to the address of a ClamAV daemon.');
    return 1;
  }
  const count = { scanned: 0, found: 0, withdrawn: 0, failed: 0 };
  let failuresInARow = 0;
  let stoppedAfter = 0;
  const scan = async (file: DocumentFile) => {
    if (stoppedAfter > 0) return;
    try {
      const malware = await findMalware(await readFile(files, file));
      failuresInARow = 0;
      count.scanned += 1;
      if (malware === null) return;
      const state = await readState(database, file);
      // It was erased meanwhile.
      if (!state) return;
      count[state.is_withdrawn ? 'withdrawn' : 'found'] += 1;
      print(`${nameOf(file)} contains malware (${malware}). ${adviceFor(file, state)}`);
      await recordFinding(dependencies, file, malware);
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof DamagedFile && !(await readState(database, file))) return;
      count.failed += 1;
      print(`${nameOf(file)} was not scanned: ${reason}`);
      if (error instanceof DamagedFile) return;
      failuresInARow += 1;
      // Otherwise eight files that the scanner refuses would keep it from all files after them.
      if (failuresInARow % maxFailuresInARow === 0 && !(await isScanning(findMalware, error)))
        stoppedAfter = failuresInARow;
    }
  };
  for await (const page of readPages(database)) {
    if (count.scanned > 0) print(`${filesOf(count.scanned)} scanned so far.`);
    await forEach(page, scan);
    if (stoppedAfter === 0) continue;
    print(
      `Stopped: ${stoppedAfter} files in a row could not be scanned. Solve that, then run the command again.`,
    );
    break;
  }
  const inWithdrawn = count.withdrawn > 0 ? `, ${count.withdrawn} with malware in withdrawn documents` : '';
  print(
    `${filesOf(count.scanned)} scanned, ${count.found} with malware${inWithdrawn}, ${count.failed} not scanned.`,
  );
  return count.found + count.failed === 0 ? 0 : 1;
}

/** Thrown for a file that is missing or was changed; the message is a sentence for the operator. */
class DamagedFile extends Error {
  override name = 'DamagedFile';
}

/** @throws every error but those because of which a file is not scanned */
function reasonOf(error: unknown): string {
  if (error instanceof DamagedFile) return error.message;
  if (error instanceof ScannerUnavailable) return error.reason;
  if (error instanceof FileStoreUnavailable) return `${storeReason(error)}.`;
  throw error;
}

/** Checks with one byte whether the scanner works, when files could not be scanned. */
async function isScanning(findMalware: FindMalware, failure: unknown): Promise<boolean> {
  if (!(failure instanceof ScannerUnavailable)) return false;
  return findMalware(Buffer.from('a')).then(
    () => true,
    () => false,
  );
}

const filesOf = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

const nameOf = ({ title, reference, case_reference, is_signed_copy }: DocumentFile) =>
  `${is_signed_copy ? 'The signed copy of ' : ''}“${title}” (${reference}, case ${case_reference})`;

type DocumentState = { is_withdrawn: boolean; is_signed: boolean; is_malware_reported: boolean };

/** Reads what clients can do with a document now; undefined once it is erased. */
async function readState(connection: Connection, { id }: DocumentFile): Promise<DocumentState | undefined> {
  const { rows } = await connection.execute<DocumentState>(sql`
    select withdrawn_at is not null as is_withdrawn, ${isMalwareReported} as is_malware_reported,
      exists (select from document_signatures where document_id = d.id) as is_signed
    from documents d where id = ${id}`);
  return rows[0];
}

function adviceFor(
  { id }: DocumentFile,
  { is_withdrawn, is_signed, is_malware_reported }: DocumentState,
): string {
  if (is_withdrawn && is_malware_reported)
    return 'It is withdrawn, and clients who had opened it were warned.';
  if (is_withdrawn)
    return `It is withdrawn. To warn clients who have opened it: keyturn document withdraw ${id} --malware`;
  if (is_signed)
    return 'Clients can open it. It is signed, so it cannot be withdrawn: call them, and share a new version.';
  return `Clients can open it. Withdraw it: keyturn document withdraw ${id} --malware`;
}

/** Audits malware in a file, once for each name that the scanner gives it. */
async function recordFinding(
  { database, clock }: ScanCommandDependencies,
  { reference, sha256, size }: DocumentFile,
  malware: string,
): Promise<void> {
  const { rowCount } = await database.execute(sql`
    select from audit_entries where subject_id = ${reference} and subject_kind = 'document'
      and action = 'document.stored_malware_found' and after ->> 'sha256' = ${sha256} and after ->> 'malware' = ${malware}
    limit 1`);
  if (rowCount !== 0) return;
  await recordAudit(database, {
    occurredAt: clock(),
    actor: commandLineActor(),
    action: 'document.stored_malware_found',
    subject: { kind: 'document', id: reference },
    after: { malware, sha256, size },
  });
}

/** @throws DamagedFile, FileStoreUnavailable */
async function readFile(files: DocumentFiles, { id, sha256, size }: DocumentFile): Promise<Buffer> {
  let reason = '';
  const alertOperator: AlertOperator = (_, details) => {
    reason = String(details.reason);
  };
  try {
    return await readStoredFile({ files, alertOperator }, { documentId: id, sha256, size });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'document_damaged') throw error;
    throw new DamagedFile(`${reason}.`);
  }
}

/** Documents whose files are read from the database at a time. */
const pageSize = 500;

/** Reads the files of all documents, in pages, because a firm may have a million. */
async function* readPages(connection: Connection): AsyncGenerator<DocumentFile[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await connection.execute<DocumentFile>(sql`
      select d.id, d.reference, d.title, c.reference as case_reference, file.*
      from (select * from documents where id > ${after} order by id limit ${pageSize}) d
        join matters m on m.id = d.matter_id join conveyancing_cases c on c.id = m.case_id
        cross join lateral (
          select d.sha256, d.size, false as is_signed_copy
          union all select f.sha256, f.size, true from document_signatures s
            join signed_files f on f.signature_id = s.id where s.document_id = d.id
        ) file
      order by d.id`);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}
