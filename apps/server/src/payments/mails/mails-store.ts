import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { paymentMails } from '../../schema/tables/payment-tables.ts';
import { caseClients, clients } from '../../schema/tables/tables.ts';

/** The SQL of the emails about payments. */

export type PaymentMailRow = typeof paymentMails.$inferSelect;
export type PaymentMailKey = Pick<PaymentMailRow, 'paymentId' | 'kind' | 'occasion'>;

/**
 * Stores an email that is to be sent.
 * @returns false if it was stored before
 */
export async function insertMail(
  transaction: Transaction,
  mail: typeof paymentMails.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await transaction.insert(paymentMails).values(mail).onConflictDoNothing();
  return rowCount === 1;
}

export async function findMail(
  connection: Connection,
  key: PaymentMailKey,
): Promise<PaymentMailRow | undefined> {
  const [row] = await connection.select().from(paymentMails).where(isMail(key));
  return row;
}

/** Records that the mail server accepted an email. Idempotent. */
export async function markMailSent(
  connection: Connection,
  key: PaymentMailKey,
  sent: { at: Date; messageId: string },
): Promise<void> {
  await connection
    .update(paymentMails)
    .set({ sentAt: sent.at, messageId: sent.messageId })
    .where(and(isMail(key), isNull(paymentMails.sentAt)));
}

export async function findMailedClient(connection: Connection, clientId: string) {
  const [row] = await connection
    .select({ firstName: clients.firstName, lastName: clients.lastName, email: clients.email })
    .from(clients)
    .where(eq(clients.id, clientId));
  return row;
}

/** Whether a client on the case has this email address. */
export async function isAddressOnCase(
  connection: Connection,
  caseId: string,
  address: string,
): Promise<boolean> {
  const [found] = await connection
    .select({ id: clients.id })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .where(and(eq(caseClients.caseId, caseId), sql`lower(${clients.email}) = lower(${address})`))
    .limit(1);
  return found !== undefined;
}

/** Finds the highest number of the emails of one kind about a payment; 0 without any. */
export async function findLastOccasion(
  connection: Connection,
  query: Pick<PaymentMailRow, 'paymentId' | 'kind'>,
): Promise<number> {
  const [row] = await connection
    .select({ last: sql<number>`coalesce(max(${paymentMails.occasion}), 0)` })
    .from(paymentMails)
    .where(and(eq(paymentMails.paymentId, query.paymentId), eq(paymentMails.kind, query.kind)));
  return row?.last ?? 0;
}

const isMail = ({ paymentId, kind, occasion }: PaymentMailKey) =>
  and(
    eq(paymentMails.paymentId, paymentId),
    eq(paymentMails.kind, kind),
    eq(paymentMails.occasion, occasion),
  );
