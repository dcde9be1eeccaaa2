import { parseArgs } from 'node:util';
import { isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database.ts';
import { clients } from '../../platform/tables.ts';
import { askForPasswordLink } from './send-password-link.ts';

export const clientUsage = 'Usage: keyturn client invite EMAIL …    or: keyturn client invite --all';

/** Whom to invite. */
export interface ClientCommand {
  emails: string[];
  /** Everybody who has no password yet. */
  all: boolean;
}

/** @returns null when the words of the command are not right */
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
 * Invites clients by mail to choose their password. The mails leave from the running server, or from the next one.
 * @returns the exit code: 0 all invited, 1 somebody is unknown
 */
export async function runClientCommand(
  database: Database,
  { emails, all }: ClientCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const asked = all ? await withoutPassword(database) : [...new Set(emails.map((email) => email.trim()))];
  let unknown = 0;
  for (const email of asked) {
    const [client] = await database
      .select({ id: clients.id })
      .from(clients)
      .where(sql`lower(${clients.email}) = ${email.toLowerCase()}`);
    if (client) await askForPasswordLink(database, email, 'invitation');
    else {
      unknown += 1;
      print(`${email}: no client has this email`);
    }
  }
  print(`${asked.length - unknown} invited`);
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
