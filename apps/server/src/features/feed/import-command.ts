import { dirname, resolve } from 'node:path';
import { CaseFeed } from '@keyturn/contract';
import { type ImportDependencies, type ImportReport, importFeed } from './import-feed.ts';
import { FeedFault, readFeedFile } from './read-feed.ts';

export const importUsage = 'Usage: keyturn import FILE [--dry-run]    or: keyturn import --schema';

export interface ImportCommand {
  /** What to import; null: print the JSON Schema. */
  file: string | null;
  dryRun: boolean;
}

/** @returns null when the words of the command are not right */
export function parseImportCommand(args: readonly string[]): ImportCommand | null {
  if (args.length === 1 && args[0] === '--schema') return { file: null, dryRun: false };
  const files = args.filter((arg) => !arg.startsWith('--'));
  const known = args.every((arg) => !arg.startsWith('--') || arg === '--dry-run');
  const [file] = files;
  return known && files.length === 1 && file !== undefined
    ? { file, dryRun: args.includes('--dry-run') }
    : null;
}

/** The JSON Schema of the case feed, as it is published. */
export const feedSchema = (): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...CaseFeed }, null, 2)}\n`;

/**
 * Imports a file and tells what became of it.
 * @returns the exit code: 0 all taken, 1 something refused, 2 not to be taken at all
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
    if (!(error instanceof FeedFault)) throw error;
    print(error.message);
    return 2;
  }
  for (const { place, reference, reason } of report.refused) {
    print(`refused ${place}${reference === null ? '' : ` (${reference})`}: ${reason}`);
  }
  const { created, updated, unchanged, refused } = report;
  const would = dryRun ? 'would be ' : '';
  print(
    `${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${refused.length} refused`,
  );
  return refused.length > 0 ? 1 : 0;
}
