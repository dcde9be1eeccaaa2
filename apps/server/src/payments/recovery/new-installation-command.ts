import { type Command, InvalidArgumentError } from 'commander';
import { createCommand } from '../../platform/commands/create-command.ts';
import { isId } from '../../platform/ids.ts';
import { readInstallationId } from '../continuity/installation-id.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { startNewInstallation } from './start-new-installation.ts';

export interface NewInstallationRequest {
  name: 'new installation';
  /** The id to replace, which confirms the command; null if the operator has not confirmed. */
  replaced: string | null;
}

/** Defines `keyturn payments new-installation`. */
export const newInstallationCommand = (run: (request: NewInstallationRequest) => Promise<void>): Command =>
  createCommand('new-installation')
    .description(
      'In a copy of a database: give the copy its own id, so that it does not touch the original’s payments.',
    )
    .option('--replace <id>', 'confirms the change: the id that this database has now', parseInstallationId)
    .addHelpText('after', '\nStop the servers of the copy first.\nExit codes: 0 done, 1 nothing was changed')
    .action(({ replace = null }) => run({ name: 'new installation', replaced: replace }));

/**
 * Runs `keyturn payments new-installation`. Without a confirmation it only prints what it would do.
 * @returns the exit code: 0 done, 1 nothing was changed
 */
export async function runNewInstallation(
  dependencies: PaymentDependencies,
  { replaced }: NewInstallationRequest,
  print: (line: string) => void,
): Promise<0 | 1> {
  const current = await readInstallationId(dependencies.database);
  const started = replaced === null ? null : await startNewInstallation(dependencies, replaced);
  if (started === null) {
    print(`This database is installation ${current}. Nothing was changed.`);
    print(
      'Only if it is a copy, and its servers are stopped: keyturn payments new-installation --replace ' +
        `${current} gives it a new id, and cancels open payments and rejects waiting refunds in this database only.`,
    );
    return 1;
  }
  const { installationId, cancelledPayments, rejectedRefunds } = started;
  print(
    `Installation ${installationId}, a copy of ${replaced}. Cancelled in this database only: ${cancelledPayments} open payments. ` +
      `Rejected in this database only: ${rejectedRefunds} waiting refunds.`,
  );
  return 0;
}

function parseInstallationId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be the id of an installation.');
  return text;
}
