import { type IdentityCheck, identityChecks } from '@keyturn/contract/staff';
import type { Command } from 'commander';
import { and, isNull } from 'drizzle-orm';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Database } from '../../platform/database.ts';
import { findClientByEmail, unknownClient } from '../../platform/reads/find-client-by-email.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { clients } from '../../schema/tables/tables.ts';
import { refusalOfInvitations } from './first-invitation.ts';
import { requestPasswordLink } from './password-link-mail.ts';
import { resetSignIn } from './reset-sign-in.ts';

/** The clients to invite. */
interface InviteCommand {
  emails: string[];
  /** Whether to invite every client without a password. */
  all: boolean;
}

/** The client whose sign-in is reset. */
interface ResetCommand {
  email: string;
  /** How the operator checked that it is the client who asks. */
  identityCheck: IdentityCheck;
  /** Whether to undo the client’s own change of the email address first. */
  restoreAddress: boolean;
}

export type ClientCommand = InviteCommand | ResetCommand;

export interface ClientCommandDependencies {
  database: Database;
  clock: Clock;
}

interface ResetOptions {
  identityCheck: string;
  restoreAddress?: boolean;
}

/** Defines `keyturn client`. */
export function clientCommand(run: (parsed: ClientCommand) => Promise<void>): Command {
  const invite = createCommand('invite')
    .description('Email clients an invitation to choose a password. A running server sends the emails.')
    .argument('[emails...]', 'the email addresses of the clients')
    .option('--all', 'invite every client without a password instead')
    .addHelpText(
      'after',
      '\nExit codes: 0 all invited, 1 some addresses unknown or disabled, or the firm’s data is incomplete',
    )
    .action((emails: string[], { all = false }, command: Command) => {
      if (all && emails.length > 0) command.error('error: give either email addresses or --all, not both');
      if (!all && emails.length === 0) command.error('error: give at least one email address, or --all');
      return run({ emails, all });
    });
  const resetSignIn = createCommand('reset-sign-in')
    .description(
      'Remove everything that a client signs in with, and email them a link to start again: for a client who has lost it all.',
    )
    .argument('<email>', 'the email address of the client')
    .requiredOption(
      `--identity-check <how>`,
      `how you checked that it is the client who asks: ${identityChecks.join(', ')}`,
    )
    .option(
      '--restore-address',
      'first restore the email address that your system has, because someone else changed it in the client’s account',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 reset, 1 unknown address, disabled client, or no earlier address to restore',
    )
    .action((email: string, options: ResetOptions, command: Command) => {
      const known = identityChecks.find((check) => check === options.identityCheck);
      if (!known) return command.error(`error: --identity-check must be one of ${identityChecks.join(', ')}`);
      return run({ email, identityCheck: known, restoreAddress: options.restoreAddress ?? false });
    });
  return createCommand('client')
    .description('Manage clients’ access.')
    .addCommand(invite)
    .addCommand(resetSignIn);
}

/**
 * Runs a parsed command. The running server sends the emails, or the next one that starts.
 * @returns the exit code: 0 done, 1 an email is unknown
 */
export const runClientCommand = (
  dependencies: ClientCommandDependencies,
  parsed: ClientCommand,
  print: (line: string) => void,
): Promise<0 | 1> =>
  'identityCheck' in parsed
    ? resetByCommand(dependencies, parsed, print)
    : inviteByCommand(dependencies.database, parsed, print);

/** Removes everything that a client signs in with, and queues the email with a link to start again. */
const resetByCommand = (
  dependencies: ClientCommandDependencies,
  { email, identityCheck, restoreAddress }: ResetCommand,
  print: (line: string) => void,
): Promise<0 | 1> =>
  runTransaction(dependencies.database, async (transaction) => {
    const client = await findClientByEmail(transaction, email, { lock: true });
    if (!client) {
      print(`${email}: ${unknownClient}`);
      return 1;
    }
    if (client.disabledAt) {
      print(`${email}: ${disabled}`);
      return 1;
    }
    if (client.passwordHash === null && client.unrestoredEmail === null) {
      print(`${email}: ${notInvited}`);
      return 1;
    }
    const now = dependencies.clock();
    const address = await resetSignIn(dependencies, transaction, client, { restoresAddress: restoreAddress });
    if (address === null) {
      print(`${email}: ${restoreAddress ? notRestorable : inDoubt}`);
      return 1;
    }
    await recordAudit(transaction, {
      occurredAt: now,
      actor: commandLineActor(),
      action: 'client.sign_in_reset',
      subject: { kind: 'client', id: client.id },
      after: { identity_check: identityCheck, ...(restoreAddress ? { address_restored: true } : {}) },
    });
    print(`The sign-in of ${address} is reset. A link to choose a new password is on its way.`);
    return 0;
  });

const notInvited = 'the client has no password yet: invite them instead';
const disabled = 'the client is disabled: enable them first';
const notRestorable = 'there is no earlier address to restore, or another client has it';
const inDoubt =
  'a change to this address was undone: restore the earlier one, or send another one from your system';
const undone =
  'a change of the address was undone: check that it is the client, and use keyturn client reset-sign-in';

/** Queues emails that invite clients to set their password. */
async function inviteByCommand(
  database: Database,
  { emails, all }: InviteCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const invited = all ? await withoutPassword(database) : [...new Set(emails.map((email) => email.trim()))];
  const refusal = await refusalOfInvitations(database);
  if (refusal !== null) {
    print(refusal);
    return 1;
  }
  let failed = 0;
  for (const email of invited) {
    const client = await findClientByEmail(database, email);
    const problem = client ? problemOf(client) : unknownClient;
    if (client && !problem) await invite(database, email, client.id);
    else {
      failed += 1;
      print(`${email}: ${problem}`);
    }
  }
  print(`${invited.length - failed} invited`);
  return failed > 0 ? 1 : 0;
}

const problemOf = ({ disabledAt, unrestoredEmail }: { disabledAt: unknown; unrestoredEmail: unknown }) =>
  disabledAt ? disabled : unrestoredEmail ? undone : null;

const invite = (database: Database, email: string, clientId: string) =>
  runTransaction(database, async (transaction) => {
    await requestPasswordLink(transaction, email, 'invitation');
    await recordAudit(transaction, {
      occurredAt: new Date(),
      actor: commandLineActor(),
      action: 'client.invited',
      subject: { kind: 'client', id: clientId },
    });
  });

async function withoutPassword(database: Database): Promise<string[]> {
  const rows = await database
    .select({ email: clients.email })
    .from(clients)
    .where(and(isNull(clients.passwordHash), isNull(clients.erasedAt)))
    .orderBy(clients.email);
  return rows.map(({ email }) => email);
}
