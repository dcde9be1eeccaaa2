import { type Command, Option } from 'commander';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { type RecoveryOptions, recoverPayments } from './recover-payments.ts';
import { defaultWaits, retryUnanswered } from './retry-unanswered.ts';

export type RecoverRequest = { name: 'recover' } & RecoveryOptions;

/** Defines `keyturn payments recover`. */
export const recoverCommand = (
  parseSince: (text: string) => Date,
  run: (request: RecoverRequest) => Promise<void>,
): Command =>
  createCommand('recover')
    .description(
      'After a backup is restored: recover the payments that the provider has, then accept payments again.',
    )
    .addOption(
      new Option(
        '--since <day|days>',
        'the first day to read, such as 2026-11-01 (UTC), or a number of days; an hour before the restored state by default',
      ).argParser(parseSince),
    )
    .option('--dry-run', 'print what would be recovered, without changing anything')
    .option(
      '--leave <intent...>',
      'intents that cannot be recovered, and that you have refunded or recorded elsewhere',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 payments are accepted, 1 payments stay paused, 2 the provider is unavailable',
    )
    .action(({ since = null, dryRun = false, leave = [] }) => run({ name: 'recover', since, dryRun, leave }));

/**
 * Runs `keyturn payments recover` and prints the recovered payments. A call that the provider does not answer is
 * retried for about a minute.
 * @param waits milliseconds before each repetition
 * @returns the exit code: 0 payments are accepted, 1 payments stay paused
 * @throws ProviderUnavailable after the last repetition
 */
export async function runRecovery(
  dependencies: PaymentDependencies,
  options: RecoveryOptions,
  print: (line: string) => void,
  waits: readonly number[] = defaultWaits,
): Promise<0 | 1> {
  const withRetries = { ...dependencies, ...retryUnanswered(dependencies, { waits, onWait: print }) };
  const { since, changes, unresolved, isOpen } = await recoverPayments(withRetries, options);
  for (const line of [...changes, ...unresolved]) print(line);
  if (changes.length === 0 && unresolved.length === 0) {
    print(`Nothing is missing since ${since.toISOString()}.`);
  }
  if (dependencies.provider.name === 'sandbox') {
    print(
      'The sandbox keeps its intents in the same database: a restore takes them back too, and no money was moved.',
    );
  }
  if (isOpen) print('Payments are accepted.');
  else if (options.dryRun) print('Payments are paused. Run this without --dry-run.');
  else {
    print(
      'Payments stay paused. Do what the lines above say, then run this again with --leave INTENT for each intent that you have dealt with.',
    );
  }
  return isOpen ? 0 : 1;
}
