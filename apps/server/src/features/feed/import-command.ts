import { dirname, resolve } from 'node:path';
import { CaseFeed } from '@keyturn/contract';
import type { Command } from 'commander';
import { createCommand } from '../../platform/create-command.ts';
import { type ImportReport, importFeed } from './import-feed.ts';
import { FeedError, readFeedFile } from './read-feed.ts';
import type { ImportDependencies } from './record-context.ts';

export interface ImportCommand {
  /** The feed to import; null: print the JSON Schema. */
  file: string | null;
  dryRun: boolean;
}

/** Defines `keyturn import`. */
export function importCommand(run: (parsed: ImportCommand) => Promise<void>): Command {
  return createCommand('import')
    .description('Import the cases of a case feed. Importing the same feed again changes nothing.')
    .argument('[file]', 'the case feed, a JSON file')
    .option('--dry-run', 'check the feed and print what would change, without changing anything')
    .option('--schema', 'print the JSON Schema of the case feed instead')
    .addHelpText('after', exitCodes)
    .action((file: string | undefined, { dryRun = false, schema }, command: Command) => {
      if (schema && (file !== undefined || dryRun)) {
        command.error('error: --schema takes no file and no other option');
      }
      if (!schema && file === undefined) command.error("error: missing required argument 'file'");
      return run({ file: file ?? null, dryRun });
    });
}

const exitCodes = `
Exit codes: 0 everything imported, 1 some records rejected, 2 the feed cannot be imported`;

/** The JSON Schema of the case feed, as published in docs/case-feed.schema.json. */
export const feedSchema = (): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...CaseFeed }, null, 2)}\n`;

/**
 * Imports a file and prints the result.
 * @returns the exit code: 0 everything imported, 1 some records rejected, 2 the feed cannot be imported
 */
export async function runImport(
  dependencies: ImportDependencies,
  { file, dryRun }: { file: string; dryRun: boolean },
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  let report: ImportReport;
  try {
    const feed = await readFeedFile(file);
    report = await importFeed(dependencies, { feed, folder: dirname(resolve(file)), as: 'real', dryRun });
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    print(error.message);
    return 2;
  }
  for (const { place, reference, reason } of report.rejected) {
    print(`rejected ${place}${reference === null ? '' : ` (${reference})`}: ${reason}`);
  }
  const { created, updated, unchanged, rejected } = report;
  const would = dryRun ? 'would be ' : '';
  print(
    `${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${rejected.length} rejected`,
  );
  return rejected.length > 0 ? 1 : 0;
}
