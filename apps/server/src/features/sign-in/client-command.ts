import type { Command } from 'commander';
import { isNull, sql } from 'drizzle-orm';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Database } from '../../platform/database.ts';
import { clients } from '../../platform/tables/tables.ts';
import { requestPasswordLink } from './send-password-link.ts';

/** The clients to invite. */
export interface ClientCommand {
  emails: string[];
  /** Whether to invite every client without a password. */
  all: boolean;
}

/** Defines `keyturn client`. */
export function clientCommand(run: (parsed: ClientCommand) => Promise<void>): Command {
  const invite = createCommand('invite')
    .description('Email clients an invitation to choose a password. A running server sends the mails.')
    .argument('[emails...]', 'the email addresses of the clients')
    .option('--all', 'invite every client without a password instead')
    .addHelpText('after', '\nExit codes: 0 all invited, 1 some addresses unknown')
    .action((emails: string[], { all = false }, command: Command) => {
      if (all && emails.length > 0) command.error('error: give either email addresses or --all, not both');
      if (!all && emails.length === 0) command.error('error: give at least one email address, or --all');
      return run({ emails, all });
    });
  return createCommand('client').description('Manage clients’ access.').addCommand(invite);
}

/**
 * Queues mails that invite clients to set their password. The running server sends them, or the next one that starts.
 * @returns the exit code: 0 all invited, 1 an email is unknown
 */
export async function runClientCommand(
  database: Database,
  { emails, all }: ClientCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const invited = all ? await withoutPassword(database) : [...new Set(emails.map((email) => email.trim()))];
  let unknown = 0;
  for (const email of invited) {
    const [client] = await database
      .select({ id: clients.id })
      .from(clients)
      .where(sql`lower(${clients.email}) = ${email.toLowerCase()}`);
    if (client) await invite(database, email, client.id);
    else {
      unknown += 1;
      print(`${email}: no client has this email address`);
    }
  }
  print(`${invited.length - unknown} invited`);
  return unknown > 0 ? 1 : 0;
}

const invite = (database: Database, email: string, clientId: string) =>
  database.transaction(async (transaction) => {
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
    .where(isNull(clients.passwordHash))
    .orderBy(clients.email);
  return rows.map(({ email }) => email);
}
