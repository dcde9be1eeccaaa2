import type { Payment } from '@keyturn/contract';
import type { Connection } from '../../../platform/database.ts';
import { findReceiptMails } from '../mails/mails-store.ts';
import type { PayableCases } from '../ports.ts';
import { findPaymentsOfCase } from './payments-store.ts';
import { toPayment } from './read-payment.ts';

/** Lists the payments of the client's active case, made by any of its clients, newest first. */
export async function listPayments(
  { database, cases }: { database: Connection; cases: PayableCases },
  clientId: string,
): Promise<Payment[]> {
  const active = await cases.findActive(database, clientId);
  if (!active) return [];
  const rows = await findPaymentsOfCase(database, active.id);
  const mails = await findReceiptMails(database, { clientId, paymentIds: rows.map(({ id }) => id) });
  return rows.map((row) =>
    toPayment(
      row,
      mails.find(({ paymentId }) => paymentId === row.id),
    ),
  );
}
