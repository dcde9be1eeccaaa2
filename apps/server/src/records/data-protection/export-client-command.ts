import { countOf } from '@keyturn/format/count-of';
import type { Command } from 'commander';
import { commandLineActor } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { writeForOperator } from '../../platform/commands/file-not-written.ts';
import type { Connection } from '../../platform/database.ts';
import { findClientByEmail, unknownClient } from '../../platform/reads/find-client-by-email.ts';
import { exportClient } from './export-client.ts';
import type { ExportedFiles, WriteArchive } from './ports.ts';

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
 * Runs `keyturn client export`, and prints the result.
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
  const by = { actor: commandLineActor() };
  const { files: archived, contents } = await exportClient({ database, files, clock }, client.id, by);
  await writeForOperator(archive, () => writeArchive(archive, archived));
  print(
    `${countOf(contents.records, 'record')} and ${countOf(contents.files, 'file')} written to ${archive}`,
  );
  for (const name of contents.damaged) print(`MISSING OR DAMAGED: ${name}`);
  print('Before you send it: check who asks for it, and review documents that are about other people too.');
  return contents.damaged.length > 0 ? 1 : 0;
}
