import { parseArgs } from 'node:util';
import { isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database.ts';
import { clients } from '../../platform/tables.ts';
import { requestPasswordLink } from './send-password-link.ts';

export const clientUsage = 'Usage: keyturn client invite EMAIL …    or: keyturn client invite --all';

/** The clients to invite. */
export interface ClientCommand {
  emails: string[];
  /** Every client without a password. */
  all: boolean;
}

/** @returns null when the arguments are invalid */
export function parseClientCommand(args: string[]): ClientCommand | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { all: { type: 'boolean', default: false } },
    });
    const [verb, ...emails] = positionals;
    const isWhole = verb === 'invite' && values.all !== emails.length > 0;
    return isWhole ? { emails, all: values.all } : null;
  } catch {
    return null;
  }
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
    if (client) await requestPasswordLink(database, email, 'invitation');
    else {
      unknown += 1;
      print(`${email}: no client has this email address`);
    }
  }
  print(`${invited.length - unknown} invited`);
  return unknown > 0 ? 1 : 0;
}

async function withoutPassword(database: Database): Promise<string[]> {
  const rows = await database
    .select({ email: clients.email })
    .from(clients)
    .where(isNull(clients.passwordHash))
    .orderBy(clients.email);
  return rows.map(({ email }) => email);
}
