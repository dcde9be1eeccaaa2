import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { paymentMails } from '../../../platform/payment-tables.ts';
import { clients } from '../../../platform/tables.ts';

/** The SQL of the mails about payments. */

export type PaymentMailRow = typeof paymentMails.$inferSelect;
export type PaymentMailKey = Pick<PaymentMailRow, 'paymentId' | 'kind' | 'occasion'>;

/**
 * Stores a mail that is to be sent.
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

/** Finds the occasion of the previous mail of the same kind; 0 if this is the first. */
export async function findOccasionBefore(connection: Connection, key: PaymentMailKey): Promise<number> {
  const [row] = await connection
    .select({ occasion: paymentMails.occasion })
    .from(paymentMails)
    .where(
      and(
        eq(paymentMails.paymentId, key.paymentId),
        eq(paymentMails.kind, key.kind),
        lt(paymentMails.occasion, key.occasion),
      ),
    )
    .orderBy(desc(paymentMails.occasion))
    .limit(1);
  return row?.occasion ?? 0;
}

/** Records that the mail server accepted a mail. Idempotent. */
export async function markSent(
  connection: Connection,
  key: PaymentMailKey,
  sent: { at: Date; messageId: string },
): Promise<void> {
  await connection
    .update(paymentMails)
    .set({ sentAt: sent.at, messageId: sent.messageId })
    .where(and(isMail(key), isNull(paymentMails.sentAt)));
}

/** Finds the receipt mails of these payments that were sent on behalf of one client. */
export async function findReceiptMails(
  connection: Connection,
  query: { clientId: string; paymentIds: string[] },
): Promise<PaymentMailRow[]> {
  if (query.paymentIds.length === 0) return [];
  return connection
    .select()
    .from(paymentMails)
    .where(
      and(
        inArray(paymentMails.paymentId, query.paymentIds),
        eq(paymentMails.kind, 'receipt'),
        eq(paymentMails.clientId, query.clientId),
      ),
    );
}

export async function findMailedClient(connection: Connection, clientId: string) {
  const [row] = await connection
    .select({ firstName: clients.firstName, lastName: clients.lastName, email: clients.email })
    .from(clients)
    .where(eq(clients.id, clientId));
  return row;
}

/** Counts the mails of one kind about a payment. */
export async function countMails(
  connection: Connection,
  query: Pick<PaymentMailRow, 'paymentId' | 'kind'>,
): Promise<number> {
  const [row] = await connection
    .select({ mails: sql<number>`count(*)`.mapWith(Number) })
    .from(paymentMails)
    .where(and(eq(paymentMails.paymentId, query.paymentId), eq(paymentMails.kind, query.kind)));
  return row?.mails ?? 0;
}

const isMail = ({ paymentId, kind, occasion }: PaymentMailKey) =>
  and(
    eq(paymentMails.paymentId, paymentId),
    eq(paymentMails.kind, kind),
    eq(paymentMails.occasion, occasion),
  );
