import { dirname, resolve } from 'node:path';
import { CaseFeed } from '@keyturn/contract';
import type { Command } from 'commander';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import { FeedError } from '../../case-file/import/read-feed.ts';
import { reasonsInFeed } from '../../case-file/records/rejected-record.ts';
import { commandLineActor } from '../../platform/audit/record-audit.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { type ImportCounts, type ImportObserver, importSource } from './import-feed.ts';
import type { ImportProgress } from './import-progress.ts';
import { openFeedFile } from './sources/feed-file.ts';

export interface ImportCommand {
  /** The feed to import; null: print the JSON Schema. */
  file: string | null;
  /** Whether the file is a spreadsheet instead. */
  isSpreadsheet: boolean;
  dryRun: boolean;
}

/** Defines `keyturn import`. */
export function importCommand(run: (parsed: ImportCommand) => Promise<void>): Command {
  return createCommand('import')
    .description('Import the cases of a case feed. Importing the same feed again changes nothing.')
    .argument('[file]', 'the case feed, a JSON file')
    .option('--spreadsheet', 'import a CSV file with a row for each case instead of a case feed')
    .option('--dry-run', 'check the feed and print what would change, without changing anything')
    .option('--schema', 'print the JSON Schema of the case feed instead')
    .addHelpText('after', exitCodes)
    .action((file: string | undefined, options, command: Command) => {
      const { dryRun = false, spreadsheet: isSpreadsheet = false, schema } = options;
      if (schema && (file !== undefined || dryRun || isSpreadsheet)) {
        command.error('error: --schema takes no file and no other option');
      }
      if (!schema && file === undefined) command.error("error: missing required argument 'file'");
      return run({ file: file ?? null, isSpreadsheet, dryRun });
    });
}

const exitCodes = `
Exit codes: 0 everything imported, 1 some records or rows rejected, 2 the file cannot be imported`;

/** The JSON Schema of the case feed, as published in docs/case-feed.schema.json. */
export const feedSchema = (): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...CaseFeed }, null, 2)}\n`;

/**
 * Imports a file, and prints each rejected record and the result.
 * @param progress shows how far the import is; by default, nothing does
 * @returns the exit code: 0 everything imported, 1 some records rejected, 2 the feed cannot be imported
 */
export async function runImport(
  dependencies: ImportDependencies,
  { file, dryRun }: { file: string; dryRun: boolean },
  print: (line: string) => void,
  progress?: ImportProgress,
): Promise<0 | 1 | 2> {
  let counts: ImportCounts;
  try {
    counts = await importFile(
      dependencies,
      { file, dryRun },
      {
        onRejected: (rejected) => {
          const { place, reference } = rejected;
          progress?.clear();
          print(
            `rejected ${place}${reference === null ? '' : ` (${reference})`}: ${reasonsInFeed(rejected)}`,
          );
        },
        onProgress: (done, total) => progress?.show(done, total),
      },
    );
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    progress?.clear();
    print(error.message);
    return 2;
  }
  progress?.clear();
  const { created, updated, unchanged, rejected } = counts;
  const would = dryRun ? 'would be ' : '';
  print(
    `${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${rejected} rejected`,
  );
  return rejected > 0 ? 1 : 0;
}

async function importFile(
  dependencies: ImportDependencies,
  { file, dryRun }: { file: string; dryRun: boolean },
  observer: ImportObserver,
): Promise<ImportCounts> {
  const source = await openFeedFile(file);
  try {
    const request = {
      folder: dirname(resolve(file)),
      as: 'real',
      actor: commandLineActor(),
      dryRun,
    } as const;
    return await importSource(dependencies, source, request, observer);
  } finally {
    await source.close();
  }
}
