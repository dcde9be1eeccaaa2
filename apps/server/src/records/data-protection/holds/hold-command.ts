import { formatDay, londonDay } from '@keyturn/format/london-time';
import type { Command } from 'commander';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createCommand } from '../../../platform/commands/create-command.ts';
import { parseReason } from '../../../platform/commands/parse-options.ts';
import type { Database } from '../../../platform/database.ts';
import { unknownClient } from '../../../platform/reads/find-client-by-email.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { findSubject, type HeldSubject, listHolds, placeHold, releaseHold } from './legal-holds.ts';

/** The subject of a hold, as it is named on the command line. */
interface NamedSubject {
  kind: HeldSubject['kind'];
  /** The reference of a case, or the email address of a client. */
  name: string;
}

export type HoldCommand =
  | ({ command: 'place'; reason: string } & NamedSubject)
  | ({ command: 'release'; reason: string | null } & NamedSubject)
  | { command: 'list' };

/** Defines `keyturn hold`. */
export function holdCommand(run: (parsed: HoldCommand) => Promise<void>): Command {
  const place = aboutSubject(
    createCommand('place').description(
      'Place a legal hold: nothing deletes the case or client until it is released.',
    ),
  )
    .requiredOption('--reason <text>', 'why, for those who find the hold later', parseReason)
    .action(({ reason, ...named }, command: Command) =>
      run({ command: 'place', reason, ...subjectOf(named, command) }),
    );
  const release = aboutSubject(createCommand('release').description('Release a legal hold.'))
    .option('--reason <text>', 'why it no longer applies', parseReason)
    .action(({ reason, ...named }, command: Command) =>
      run({ command: 'release', reason: reason ?? null, ...subjectOf(named, command) }),
    );
  const list = createCommand('list')
    .description('List the legal holds that are not released.')
    .action(() => run({ command: 'list' }));
  return createCommand('hold')
    .description('Place, release and list legal holds.')
    .addCommand(place)
    .addCommand(release)
    .addCommand(list);
}

const aboutSubject = (command: Command) =>
  command
    .option('--case <reference>', 'the case')
    .option('--client <email>', 'the client, with all their cases')
    .addHelpText('after', '\nExit codes: 0 done, 1 not found, or nothing to change');

function subjectOf(named: { case?: string; client?: string }, command: Command): NamedSubject {
  const [found, other] = (['case', 'client'] as const).flatMap((kind) =>
    named[kind] === undefined ? [] : [{ kind, name: named[kind] }],
  );
  if (!found || other) return command.error('error: give either --case or --client');
  return found;
}

/**
 * Runs `keyturn hold`, and prints the result.
 * @returns the exit code: 0 done; 1 the case or client is unknown, is held already, or is not held
 */
export async function runHoldCommand(
  { database, clock }: { database: Database; clock: Clock },
  parsed: HoldCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  if (parsed.command === 'list') return printHolds(database, print);
  const { kind, name } = parsed;
  const subject = await findSubject(database, kind, name);
  if (!subject) {
    print(`${name}: ${kind === 'case' ? 'no case has this reference' : unknownClient}`);
    return 1;
  }
  const order = { at: clock(), by: { actor: commandLineActor() } };
  const isDone = await runTransaction(database, (transaction) =>
    parsed.command === 'place'
      ? placeHold(transaction, subject, { ...order, reason: parsed.reason })
      : releaseHold(transaction, subject, { ...order, reason: parsed.reason }),
  );
  const state =
    parsed.command === 'place'
      ? `under a legal hold${isDone ? '' : ' already'}`
      : `${isDone ? 'no longer' : 'not'} under a legal hold`;
  print(`The ${kind} ${name} is ${state}.`);
  return isDone ? 0 : 1;
}

async function printHolds(database: Database, print: (line: string) => void): Promise<0> {
  const holds = await listHolds(database);
  for (const { kind, reference, reason, placedAt, placedBy } of holds)
    print(`${kind} ${reference}: ${reason} (placed on ${formatDay(londonDay(placedAt))} by ${placedBy})`);
  if (holds.length === 0) print('There are no legal holds.');
  return 0;
}
