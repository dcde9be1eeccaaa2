import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { paymentMails } from '../../../platform/payment-tables.ts';
import { clients } from '../../../platform/tables.ts';

/** The SQL of the mails that tell of payments. */

export type PaymentMailRow = typeof paymentMails.$inferSelect;
export type PaymentMailKey = Pick<PaymentMailRow, 'paymentId' | 'kind' | 'occasion'>;

/** Writes a mail down. @returns false where it was written before */
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

/** The occasion of the mail of the same kind before this one; 0 for the first. */
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

/** The post has taken it. Whoever comes second changes nothing. */
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

/** Where the receipts of these payments went, of those that were mailed for this client. */
export async function findReceiptMails(
  connection: Connection,
  of: { clientId: string; paymentIds: string[] },
): Promise<PaymentMailRow[]> {
  if (of.paymentIds.length === 0) return [];
  return connection
    .select()
    .from(paymentMails)
    .where(
      and(
        inArray(paymentMails.paymentId, of.paymentIds),
        eq(paymentMails.kind, 'receipt'),
        eq(paymentMails.clientId, of.clientId),
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

/** How many mails of a kind a payment has had. */
export async function countMails(
  connection: Connection,
  of: Pick<PaymentMailRow, 'paymentId' | 'kind'>,
): Promise<number> {
  const [row] = await connection
    .select({ mails: sql<number>`count(*)`.mapWith(Number) })
    .from(paymentMails)
    .where(and(eq(paymentMails.paymentId, of.paymentId), eq(paymentMails.kind, of.kind)));
  return row?.mails ?? 0;
}

const isMail = ({ paymentId, kind, occasion }: PaymentMailKey) =>
  and(
    eq(paymentMails.paymentId, paymentId),
    eq(paymentMails.kind, kind),
    eq(paymentMails.occasion, occasion),
  );
