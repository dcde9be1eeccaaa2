import type { Command } from 'commander';
import { sql } from 'drizzle-orm';
import type { AuditAction } from '../../platform/audit/audit-entry.ts';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import {
  findClientByEmail,
  type StoredClient,
  unknownClient,
} from '../../platform/reads/find-client-by-email.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { sessions } from '../../schema/tables/tables.ts';
import { endSessionsOf } from '../credentials/account-sessions.ts';
import { disableClient, enableClient } from './disable-client.ts';

/** A change of the access of some clients, or of all. */
export interface ClientAccessCommand {
  name: 'disable' | 'enable' | 'end-sessions';
  emails: string[];
  /** Every client who is signed in. */
  all: boolean;
}

/** Adds `disable`, `enable` and `end-sessions` to `keyturn client`. */
export function addClientAccessCommands(
  client: Command,
  run: (parsed: ClientAccessCommand) => Promise<void>,
): Command {
  const exitCodes = '\nExit codes: 0 done for all, 1 not for some: each is printed';
  const addresses = 'the email addresses of the clients';
  const disable = createCommand('disable')
    .description('Sign clients out everywhere, and do not let them sign in.')
    .argument('<emails...>', addresses)
    .addHelpText('after', exitCodes)
    .action((emails: string[]) => run({ name: 'disable', emails, all: false }));
  const enable = createCommand('enable')
    .description('Let disabled clients sign in again.')
    .argument('<emails...>', addresses)
    .addHelpText('after', exitCodes)
    .action((emails: string[]) => run({ name: 'enable', emails, all: false }));
  const endSessions = createCommand('end-sessions')
    .description('Sign clients out everywhere. They can sign in again.')
    .argument('[emails...]', addresses)
    .option('--all', 'sign out every client instead')
    .addHelpText('after', exitCodes)
    .action((emails: string[], { all = false }, command: Command) => {
      if (all === emails.length > 0) command.error('error: give either email addresses or --all');
      return run({ name: 'end-sessions', emails, all });
    });
  return client.addCommand(disable).addCommand(enable).addCommand(endSessions);
}

/**
 * Runs `keyturn client disable`, `enable` or `end-sessions`. Each client is a transaction with its audit entry.
 * @returns the exit code: 0 done for all; 1 an email is unknown, or a client is disabled or enabled already
 */
export async function runClientAccess(
  { database, clock }: { database: Database; clock: Clock },
  { name, emails, all }: ClientAccessCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const named = all ? await findSignedIn(database) : [...new Set(emails.map((email) => email.trim()))];
  let failed = 0;
  for (const email of named) {
    const problem = await runTransaction(database, (transaction) =>
      changeAccess(transaction, { ...changes[name], email, at: clock() }),
    );
    if (problem === null) continue;
    failed += 1;
    print(`${email}: ${problem}`);
  }
  print(`${named.length - failed} ${changes[name].done}`);
  return failed > 0 ? 1 : 0;
}

interface AccessChange {
  action: AuditAction;
  done: string;
  /** @returns why nothing was done; null if it was */
  change(transaction: Transaction, client: StoredClient, at: Date): Promise<string | null>;
}

const changes: Record<ClientAccessCommand['name'], AccessChange> = {
  disable: {
    action: 'client.disabled',
    done: 'disabled',
    change: async (transaction, { id, disabledAt }, at) => {
      if (disabledAt) return 'the client is disabled already';
      await disableClient(transaction, id, at);
      return null;
    },
  },
  enable: {
    action: 'client.enabled',
    done: 'enabled',
    change: async (transaction, { id, disabledAt }, at) => {
      if (!disabledAt) return 'the client is not disabled';
      await enableClient(transaction, id, at);
      return null;
    },
  },
  'end-sessions': {
    action: 'client.sessions_ended',
    done: 'signed out',
    change: async (transaction, { id }, now) => {
      await endSessionsOf(transaction, sessions, { ownerId: id, now });
      return null;
    },
  },
};

async function changeAccess(
  transaction: Transaction,
  { email, at, action, change }: AccessChange & { email: string; at: Date },
): Promise<string | null> {
  const client = await findClientByEmail(transaction, email, { lock: true });
  if (!client) return unknownClient;
  const problem = await change(transaction, client, at);
  if (problem === null)
    await recordAudit(transaction, {
      occurredAt: at,
      actor: commandLineActor(),
      action,
      subject: { kind: 'client', id: client.id },
    });
  return problem;
}

async function findSignedIn(database: Database): Promise<string[]> {
  const { rows } = await database.execute<{ email: string }>(sql`
    select email from clients where exists (
      select from sessions where sessions.client_id = clients.id and sessions.revoked_at is null
        and sessions.expires_at > now()) order by email`);
  return rows.map(({ email }) => email);
}
