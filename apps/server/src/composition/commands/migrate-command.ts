import type { OpenDatabase } from '../../adapters/postgres/open-database.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { DefineCommand } from './command-context.ts';

/** Defines `keyturn migrate`. */
export const migrateCommand: DefineCommand = ({ run, runInstalled, print }) =>
  createCommand('migrate')
    .description('Apply the migrations that the database lacks, before servers of a new version start.')
    .option('--dry-run', 'list them without applying any')
    .action(
      run(({ dryRun = false }: { dryRun?: boolean }) =>
        runInstalled(async ({ opened }) => reportMigrations(opened, print), dryRun ? 'leave' : 'apply'),
      ),
    );

/** Prints which migrations were applied, or are missing. @returns the exit code */
function reportMigrations(
  { applied, pending }: Pick<OpenDatabase, 'applied' | 'pending'>,
  print: (line: string) => void,
): 0 {
  for (const { number, name } of pending) print(`not applied: ${number} ${name}`);
  if (applied > 0) print(`Applied ${applied} ${applied === 1 ? 'migration' : 'migrations'}.`);
  if (applied === 0 && pending.length === 0) print('The database has all migrations of this version.');
  return 0;
}
