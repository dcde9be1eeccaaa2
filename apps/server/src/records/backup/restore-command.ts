import { formatFileSize } from '@keyturn/format/file-size';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createCommand } from '../../platform/commands/create-command.ts';
import { printErasedAgain } from './finish-restore.ts';
import {
  type RestoreDependencies,
  type RestoredBackup,
  type RestoreOptions,
  type RestoreStep,
  restoreBackup,
  restoreDocumentsOnly,
} from './restore-backup.ts';
import { secondsSince } from './seconds-since.ts';

export interface RestoreCommand {
  /** The folder of one backup. */
  backup: string;
  /** The file with the secret key of an encrypted backup. */
  identityFile: string | null;
  /** The SHA-256 of the manifest that the backup printed. */
  expected: string | null;
  /** Whether to verify the backup only. */
  dryRun: boolean;
  /** Whether to restore the documents only. */
  documentsOnly: boolean;
  /** Whether to leave out documents that are damaged in the backup, instead of failing. */
  withoutDamaged: boolean;
}

/** Defines `keyturn restore`. */
export function restoreCommand(run: (parsed: RestoreCommand) => Promise<void>): Command {
  return createCommand('restore')
    .description('Restore a backup into an empty database and an empty document store.')
    .argument('<backup>', 'the folder of one backup, such as backups/2026-11-23T181500Z')
    .option('--identity <file>', 'the file with the secret key of an encrypted backup')
    .option('--expect <sha256>', 'the SHA-256 that the backup printed, to reject any other', parseSha256)
    .option('--dry-run', 'verify the whole backup, and restore nothing')
    .addOption(
      new Option(
        '--documents-only',
        'store the documents again, next to those that exist, and leave the database alone',
      ).conflicts('dryRun'),
    )
    .option('--without-damaged', 'leave out documents that are damaged in the backup, and list them')
    .addHelpText('after', '\nExit codes: 0 restored, 1 restored without some documents, 2 not restored')
    .action((backup: string, options: RestoreOptionsGiven) => {
      const { identity = null, expect: expected = null, dryRun = false } = options;
      const { documentsOnly = false, withoutDamaged = false } = options;
      return run({ backup, identityFile: identity, expected, dryRun, documentsOnly, withoutDamaged });
    });
}

interface RestoreOptionsGiven {
  identity?: string;
  expect?: string;
  dryRun?: boolean;
  documentsOnly?: boolean;
  withoutDamaged?: boolean;
}

function parseSha256(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('It must be 64 digits from 0 to f.');
  return text;
}

/**
 * Runs `keyturn restore` and prints what was restored and what has to be done next.
 * @returns the exit code: 0 restored, or verified; 1 some documents are missing or damaged in the backup
 */
export async function runRestore(
  dependencies: Omit<RestoreDependencies, 'onStep'>,
  options: RestoreOptions,
  print: (line: string) => void,
): Promise<0 | 1> {
  const { clock, target } = dependencies;
  const startedAt = clock();
  const onStep = (step: RestoreStep) => print(descriptions[step]);
  const restored = await restoreBackup({ ...dependencies, onStep }, options);
  const { manifest, contents } = restored;
  const rows = contents.tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = contents.tables.reduce((sum, table) => sum + table.bytes, 0);
  print(
    `${target ? 'Restored' : 'Intact'}: the state of ${manifest.takenAt}, ${describeAge(manifest.takenAt, startedAt)} ago, made by Keyturn ${manifest.keyturn}`,
  );
  print(`Database: ${rows} rows of ${contents.tables.length} tables, ${formatFileSize(bytes)}`);
  printDocuments(restored, print);
  printErasedAgain(restored, 'a later backup', print);
  print(`Finished after ${secondsSince(startedAt, clock())} s.`);
  if (target) for (const line of nextSteps) print(line);
  return exitCodeOf(restored);
}

/**
 * Runs `keyturn restore --documents-only`.
 * @returns the exit code: 0 restored; 1 some documents are missing or damaged in the backup
 */
export async function runRestoreDocuments(
  dependencies: Parameters<typeof restoreDocumentsOnly>[0],
  options: RestoreOptions,
  print: (line: string) => void,
): Promise<0 | 1> {
  print(descriptions.documents);
  const restored = await restoreDocumentsOnly(dependencies, options);
  print(
    `Restored: the documents of ${restored.manifest.takenAt}. The records in the database were not changed.`,
  );
  printDocuments(restored, print);
  return exitCodeOf(restored);
}

type Documents = Pick<RestoredBackup, 'contents' | 'damaged' | 'missing' | 'lost'>;

/** Prints which documents are not in the store now: by name, or by their SHA-256 if the database is not known. */
function printDocuments(
  { contents: { documents }, damaged, missing, lost }: Documents,
  print: (line: string) => void,
): void {
  print(`Documents: ${documents.count}`);
  const removed = documents.removed?.length ?? 0;
  if (removed > 0) print(`Without ${removed} documents that were erased while the backup was made.`);
  const printEach = (sha256s: readonly string[], start: string, reason: string) => {
    for (const sha256 of sha256s) {
      const records = lost.filter((record) => record.sha256 === sha256);
      if (records.length === 0) print(`${start}: the document ${sha256} ${reason}.`);
      for (const record of records)
        print(`${start}: ${record.name}${record.case ? ` of case ${record.case}` : ''} ${reason}.`);
    }
  };
  printEach(missing, 'MISSING', 'was missing or damaged when the backup was made');
  printEach(damaged, 'DAMAGED', 'is missing or damaged in the backup');
}

const exitCodeOf = ({ missing, damaged }: Documents): 0 | 1 => (missing.length + damaged.length > 0 ? 1 : 0);

/** Returns how old a backup is, for example `35 min`. What happened since is lost unless the provider or the feed has it. */
function describeAge(takenAt: string, now: Date): string {
  const minutes = Math.max(0, Math.round((now.getTime() - Date.parse(takenAt)) / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const descriptions: Record<RestoreStep, string> = {
  verify: 'Verifying the backup',
  documents: 'Restoring the documents',
  database: 'Restoring the database',
};

const nextSteps = [
  'Payments are paused, everyone is signed out, and recovery codes no longer work. What to do now:',
  '1. Before you start the server, repeat what was revoked or disabled after the backup: feed keys, staff members, clients, webhooks, payment links, withdrawn documents.',
  '2. Erase again the clients who were erased after the newest backup in this folder: this command does not know them.',
  '3. Reset again the sign-ins that were reset, or that lost a passkey or authenticator app, after the backup.',
  '4. Start the server, and import the case feed.',
  '5. Run "keyturn payments recover --dry-run", then without --dry-run. Then run "keyturn payments check".',
];
