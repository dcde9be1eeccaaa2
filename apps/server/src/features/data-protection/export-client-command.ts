import type { Command } from 'commander';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Connection } from '../../platform/database.ts';
import { findClientByEmail, unknownClient } from '../../platform/reads/find-client-by-email.ts';
import { type ClientFile, findClientFiles, readClientRecords } from './client-records.ts';
import type { ArchivedFile, ExportedFiles, WriteArchive } from './ports.ts';

export interface ExportClientCommand {
  email: string;
  archive: string;
}

/** Defines `keyturn client export`. */
export function exportClientCommand(run: (parsed: ExportClientCommand) => Promise<void>): Command {
  return createCommand('export')
    .description(
      'Write everything that Keyturn has about a client to a new ZIP file: JSON, documents and receipts.',
    )
    .argument('<email>', 'the email address of the client')
    .argument('<file>', 'the ZIP file, which must not exist')
    .addHelpText('after', '\nExit codes: 0 complete, 1 unknown client, or some files are missing or damaged')
    .action((email: string, archive: string) => run({ email, archive }));
}

interface ExportDependencies {
  database: Connection;
  files: ExportedFiles;
  writeArchive: WriteArchive;
  clock: Clock;
}

/**
 * Runs `keyturn client export`. It is audited before the file is written: it takes personal data out of the installation.
 * @returns the exit code: 0 complete; 1 unknown client, or some files are missing or damaged
 */
export async function runExportClient(
  { database, files, writeArchive, clock }: ExportDependencies,
  { email, archive }: ExportClientCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const client = await findClientByEmail(database, email);
  if (!client) {
    print(`${email}: ${unknownClient}`);
    return 1;
  }
  const at = clock();
  await recordAudit(database, {
    occurredAt: at,
    actor: commandLineActor(),
    action: 'client.data_exported',
    subject: { kind: 'client', id: client.id },
  });
  const records = await readClientRecords(database, client.id);
  const damaged: ClientFile[] = [];
  const found: ClientFile[] = [];
  for (const file of await findClientFiles(database, client.id)) {
    const measured = await files.measure(file.sha256, file.size + 1);
    const isIntact = measured?.sha256 === file.sha256 && measured.size === file.size;
    (isIntact ? found : damaged).push(file);
  }
  await writeArchive(archive, archivedFiles({ exported_at: at.toISOString(), ...records }, found, files));
  const count = Object.values(records).reduce((sum, { length }) => sum + length, 0);
  print(`${count} records and ${found.length} files written to ${archive}`);
  for (const { name } of damaged) print(`MISSING OR DAMAGED: ${name}`);
  print('Before you send it: check who asks for it, and review documents that are about other people too.');
  return damaged.length > 0 ? 1 : 0;
}

async function* archivedFiles(
  records: object,
  found: readonly ClientFile[],
  files: ExportedFiles,
): AsyncIterable<ArchivedFile> {
  yield { name: 'client.json', content: bytesOf(`${JSON.stringify(records, null, 2)}\n`) };
  for (const { name, sha256, size } of found)
    yield { name, content: size === 0 ? bytesOf('') : files.open(sha256, { start: 0, end: size - 1 }) };
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}
