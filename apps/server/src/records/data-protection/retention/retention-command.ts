import { type RetentionKind, retentionKinds } from '@keyturn/contract/staff';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createCommand } from '../../../platform/commands/create-command.ts';
import type { Connection, Database } from '../../../platform/database.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { type DueSubject, eraseDue, findDue } from './erase-due.ts';
import { changeRule, readRules } from './retention-rules.ts';

export type RetentionCommand =
  | { name: 'list' | 'due' | 'run' }
  | { name: 'set'; kind: RetentionKind; months: number | null; deletes: boolean | null };

/** Defines `keyturn retention`. */
export function retentionCommand(run: (parsed: RetentionCommand) => Promise<void>): Command {
  const plain = (name: 'list' | 'due' | 'run', description: string) =>
    createCommand(name)
      .description(description)
      .action(() => run({ name }));
  const set = createCommand('set')
    .description('Change how long records of a kind are kept, and whether they are deleted every night.')
    .addArgument(new Argument('<kind>', 'the kind of records').choices(retentionKinds))
    .option('--months <number>', 'how long they are kept', parseMonths)
    .addOption(new Option('--delete <on or off>', 'delete what is due').choices(['on', 'off']))
    .action((kind: RetentionKind, options: { months?: number; delete?: 'on' | 'off' }, command: Command) => {
      const { months = null, delete: deletes } = options;
      if (months === null && deletes === undefined) command.error('error: give --months, --delete or both');
      if (kind === 'payments' && deletes !== undefined)
        command.error('error: payments are deleted with their case: set --delete for the kinds of cases');
      return run({ name: 'set', kind, months, deletes: deletes === undefined ? null : deletes === 'on' });
    });
  return createCommand('retention')
    .description('Show and change how long records are kept, and erase what is due.')
    .addCommand(plain('list', 'Show the rules.'))
    .addCommand(set)
    .addCommand(
      plain('due', 'List the cases and clients whose retention period has ended. Nothing is erased.'),
    )
    .addCommand(plain('run', 'Erase now what the nightly job would erase.'))
    .addHelpText('after', '\nExit codes: 0 done, 1 something that is due could not be erased');
}

function parseMonths(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > 1_200)
    throw new InvalidArgumentError('It must be a number of months from 1 to 1200.');
  return Number(text);
}

/**
 * Runs `keyturn retention`, and prints the result.
 * @returns the exit code: 0 done; 1 something that is due could not be erased
 */
export async function runRetentionCommand(
  { database, clock }: { database: Database; clock: Clock },
  parsed: RetentionCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const by = { actor: commandLineActor() };
  if (parsed.name === 'set')
    await runTransaction(database, (transaction) => changeRule(transaction, parsed, { at: clock(), by }));
  if (parsed.name === 'list' || parsed.name === 'set') return printRules(database, print);
  if (parsed.name === 'due') return printDue(await findDue(database, clock()), print);
  const { erased, kept } = await eraseDue({ database, clock }, by);
  for (const subject of erased) print(`Erased: ${describe(subject)}`);
  for (const { subject, reasons } of kept) print(`KEPT: ${describe(subject)}. ${reasons.join('. ')}.`);
  print(`${erased.length} erased, ${kept.length} kept`);
  return kept.length > 0 ? 1 : 0;
}

async function printRules(connection: Connection, print: (line: string) => void): Promise<0> {
  for (const { kind, months, deletes, changedBy } of await readRules(connection)) {
    const mode =
      kind === 'payments' ? 'with their case' : deletes ? 'deleted every night' : 'only listed as due';
    print(`${kind}: ${months} months, ${mode}${changedBy === null ? '' : `, set by ${changedBy}`}`);
  }
  return 0;
}

function printDue(due: readonly DueSubject[], print: (line: string) => void): 0 {
  for (const subject of due)
    print(
      `${describe(subject)}: ${subject.deletes ? 'will be deleted tonight' : 'only listed, because its rule does not delete'}`,
    );
  if (due.length === 0) print('Nothing is due.');
  return 0;
}

const describe = ({ kind, reference, since }: DueSubject): string =>
  `${kind} ${reference}, due since ${formatDay(londonDay(since))}`;
