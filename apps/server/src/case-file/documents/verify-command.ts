import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { checkStoredFile } from '../../platform/stored-file.ts';
import {
  findDocument,
  findDocumentOfSignature,
  findDocumentsByOriginal,
  findDocumentsBySignedFile,
  findSignatures,
  readSecret,
  type SignedFileRow,
} from './documents-store.ts';
import type { DocumentFiles } from './ports.ts';
import {
  confirmationOf,
  findAltered,
  isSameSignature,
  type SealedSignature,
  sealSignedFile,
  signatureKey,
} from './signature-record.ts';

export interface VerifyDependencies {
  database: Connection;
  files: DocumentFiles;
}

/** Defines `keyturn verify-signature`. */
export function verifyCommand(run: (subject: string) => Promise<void>): Command {
  return createCommand('verify-signature')
    .description(
      'Prove who signed a document and when, and that neither the records nor the file were altered.',
    )
    .argument('<subject>', 'a document’s id, the id of a signature record, or a signed PDF file')
    .addHelpText('after', '\nExit codes: 0 proven, 1 not proven, 2 nothing found to verify')
    .action((subject: string) => run(subject));
}

/**
 * Proves who signed a document and when: that no record was altered, that the stored original is the signed file, and
 * that a given file is a signed copy made here. Prints its findings.
 * @param subject a document’s id, a signature record's id as printed on the signature page, or a file
 * @returns the exit code: 0 proven, 1 not proven, 2 nothing found to verify
 */
export async function runVerify(
  dependencies: VerifyDependencies,
  subject: string,
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  if (isId(subject)) {
    const documentId = (await findDocumentOfSignature(dependencies.database, subject)) ?? subject;
    return verifyDocument(dependencies, { documentId }, print);
  }
  const content = await readFile(subject).catch((error: NodeJS.ErrnoException) => error);
  if (content instanceof Error) {
    print(
      content.code === 'ENOENT'
        ? `${subject}: no such file, and not the id of a document or signature.`
        : `${subject} cannot be read (${content.code}).`,
    );
    return 2;
  }
  return verifyFile(dependencies, createHash('sha256').update(content).digest('hex'), print);
}

async function verifyFile(
  dependencies: VerifyDependencies,
  sha256: string,
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  print(`The file has the SHA-256 ${sha256}.`);
  const copies = await findDocumentsBySignedFile(dependencies.database, sha256);
  if (copies.length === 0) {
    const originals = await findDocumentsByOriginal(dependencies.database, sha256);
    for (const { id, title } of originals) print(`It is the unsigned original of “${title}” (${id}).`);
    print('NOT PROVEN: the file is not identical to any signed copy made here.');
    return 1;
  }
  let worst: 0 | 1 | 2 = 0;
  for (const copy of copies) {
    const code = await verifyDocument(dependencies, copy, print);
    if (code > worst) worst = code;
  }
  return worst;
}

/** @param signatureId the signature that the verified file was made for */
async function verifyDocument(
  { database, files }: VerifyDependencies,
  { documentId, signatureId }: { documentId: string; signatureId?: string },
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  const found = await findDocument(database, documentId);
  if (!found) {
    print(
      (await describeErased(database, documentId)) ?? `No document or signature has the id ${documentId}.`,
    );
    return 2;
  }
  const { document, caseReference } = found;
  print(`“${document.title}” (${document.fileName}), document ${document.id} of case ${caseReference}`);
  const rows = await findSignatures(database, documentId);
  const problems: string[] = [];
  const key = signatureKey(await readSecret(database));
  const altered = findAltered(
    key,
    rows.map(({ signature }) => signature),
  );
  for (const { signature, file } of rows) {
    print(describe(signature));
    if (altered.includes(signature)) {
      problems.push(`record ${signature.id} was altered, or an earlier one was altered or removed`);
    }
    if (signature.sha256 !== document.sha256) {
      problems.push(`record ${signature.id} does not match the document’s file (${document.sha256})`);
    }
    if (file && !isSameSignature(file.mac, sealSignedFile(key, file, signature.mac))) {
      problems.push(`the record of the signed copy ${file.sha256} was altered`);
    }
  }
  problems.push(...(await findFileProblems(files, documentId, filesOf(document, rows))));
  if (rows.length === 0) problems.push('the document has no signatures');

  for (const problem of problems) print(`NOT PROVEN: ${problem}.`);
  if (problems.length > 0) return 1;
  print('The stored original is the file that was signed.');
  const copies = rows.filter(({ file }) => file !== null);
  if (copies.length === 0)
    print('The signed copy has not been made yet. It is made when the document is next opened.');
  const last = rows.findIndex(({ signature }) => signature.id === signatureId);
  if (last !== -1) {
    const later = rows.length - 1 - last;
    print(
      `The file is the signed copy with ${formatSignatureCount(last + 1)}${later > 0 ? `; ${formatSignatureCount(later)} added later` : ''}.`,
    );
  }
  print(`PROVEN: ${formatSignatureCount(rows.length)}, and no record was altered.`);
  return 0;
}

/** @returns null for a document that was not erased, or had no signatures */
async function describeErased(connection: Connection, documentId: string): Promise<string | null> {
  const { rows } = await connection.execute<{
    erasure: number;
    signatures: number;
    at: string;
    mac: string;
  }>(sql`
    select erasure_id::int as erasure, signatures, to_json(occurred_at) #>> '{}' as at, encode(last_mac, 'hex') as mac
    from erased_signatures join erasures on erasures.id = erasure_id where document_id = ${documentId}::uuid`);
  const [erased] = rows;
  return erased
    ? `The document ${documentId} was erased on ${inLondon.format(new Date(erased.at))} with ${formatSignatureCount(erased.signatures)} (erasure ${erased.erasure}). Its chain ended with ${erased.mac}.`
    : null;
}

const formatSignatureCount = (signatures: number) =>
  `${signatures} ${signatures === 1 ? 'signature' : 'signatures'}`;

const describe = (signature: SealedSignature) =>
  `  ${signature.position}. ${signature.name} (${signature.method}) on ${inLondon.format(signature.signedAt)}` +
  ` (${signature.signedAt.toISOString()}), from ${signature.address}, client ${signature.clientId},` +
  ` record ${signature.id}, file ${signature.sha256}, ${describeIdentity(signature)}`;

function describeIdentity(signature: SealedSignature): string {
  const confirmation = confirmationOf(signature);
  return [
    signature.signedInWith ? `signed in with ${signature.signedInWith}` : 'sign-in method not recorded',
    confirmation
      ? `identity confirmed with ${confirmation.method} at ${confirmation.at.toISOString()}`
      : 'no confirmation of identity requested',
  ].join(', ');
}

const inLondon = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'long',
  timeZone: 'Europe/London',
});

function filesOf(
  document: { sha256: string; size: number },
  rows: { file: SignedFileRow | null }[],
): { label: string; sha256: string; size: number }[] {
  return [
    { label: 'the stored original', ...document },
    ...rows.flatMap(({ file }) => (file ? [{ label: 'the stored signed copy', ...file }] : [])),
  ];
}

async function findFileProblems(
  files: DocumentFiles,
  documentId: string,
  stored: ReturnType<typeof filesOf>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { label, sha256, size } of stored) {
    const alertOperator = (_message: string, { reason }: Record<string, unknown>) =>
      problems.push(`${label} ${sha256} is damaged: ${String(reason)}`);
    try {
      await checkStoredFile({ files, alertOperator }, { documentId, sha256, size });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return problems;
}
