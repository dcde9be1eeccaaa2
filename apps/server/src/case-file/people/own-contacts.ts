import { sql } from 'drizzle-orm';
import { isNewPhone } from '../../people/credentials/is-new-phone.ts';
import type { Transaction } from '../../platform/database.ts';
import { isSameLine, isSamePhone } from '../../platform/phone-numbers.ts';
import { clients } from '../../schema/tables/tables.ts';

/* Contact details that clients have changed themselves, and that their feed still sends as they were before. */

const columns = {
  email: clients.email,
  replacedFeedEmail: clients.replacedFeedEmail,
  phone: clients.phone,
  replacedFeedPhone: clients.replacedFeedPhone,
  phoneChangedAt: clients.phoneChangedAt,
  formerPhone: clients.formerPhone,
  recentPhones: clients.recentPhones,
};

export type Contacts = Pick<typeof clients.$inferSelect, keyof typeof columns>;

/** Reads the contact details of clients. */
export async function readContacts(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, Contacts>> {
  return byId(await select(transaction, ids));
}

/**
 * Locks clients, so that none of them can change their contact details until the transaction ends, and reads them. In the
 * order of their ids, because two transactions that lock several could deadlock otherwise.
 */
export async function lockContacts(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, Contacts>> {
  return byId(await select(transaction, ids).orderBy(clients.id).for('no key update'));
}

// Without a condition on the details: a lock that was waited for returns only rows that met it before.
const select = (transaction: Transaction, ids: readonly string[]) =>
  transaction
    .select({ id: clients.id, ...columns })
    .from(clients)
    .where(sql`${clients.id} = any(${sql.param([...ids])}::uuid[])`);

const byId = (rows: readonly (Contacts & { id: string })[]) =>
  new Map(rows.map(({ id, ...contacts }) => [id, contacts]));

/**
 * Keeps what a client changed themselves while the firm’s system sends the value that it replaced, or a copy of a number
 * that the client has set meanwhile. A newer value of the firm counts.
 * @param stored undefined for a new client
 */
export const contactsToKeep = (
  stored: Contacts | undefined,
  sent: Pick<Contacts, 'email' | 'phone'>,
  now: Date,
): Contacts => ({ ...emailToKeep(stored, sent.email), ...phoneToKeep(stored, sent.phone, now) });

type EmailPart = 'email' | 'replacedFeedEmail';

function emailToKeep(stored: Contacts | undefined, sent: string): Pick<Contacts, EmailPart> {
  const replacedFeedEmail = stored?.replacedFeedEmail ?? null;
  return stored && replacedFeedEmail?.toLowerCase() === sent.toLowerCase()
    ? { email: stored.email, replacedFeedEmail }
    : { email: sent, replacedFeedEmail: null };
}

function phoneToKeep(
  stored: Contacts | undefined,
  sent: string | null,
  now: Date,
): Omit<Contacts, EmailPart> {
  if (stored?.phoneChangedAt) {
    const { phone, replacedFeedPhone, phoneChangedAt, formerPhone, recentPhones } = stored;
    const own = { phone, replacedFeedPhone, phoneChangedAt, formerPhone, recentPhones };
    if (isSamePhone(sent, replacedFeedPhone)) return own;
    // The firm’s system has copied the client’s number, which is as new as before.
    if (isSameLine(sent, phone)) return { ...own, replacedFeedPhone: sent };
    // A late copy: the client has changed the number again since. It may be a thief’s, and is not a number on file.
    const isLateCopy = recentPhones.some((recent) => isSameLine(sent, recent));
    if (isLateCopy && isNewPhone(phoneChangedAt, now) && !isSamePhone(sent, formerPhone))
      return { ...own, replacedFeedPhone: sent };
  }
  return { phone: sent, replacedFeedPhone: null, phoneChangedAt: null, formerPhone: null, recentPhones: [] };
}
