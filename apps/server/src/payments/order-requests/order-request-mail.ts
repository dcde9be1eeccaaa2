import { findStoredFile } from '../../case-file/documents/stored-files.ts';
import { deskReference } from '../../case-file/records/references.ts';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { defineJob, type JobHandler } from '../../platform/jobs.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { type FileStore, readStoredFile } from '../../platform/stored-file.ts';
import { findMailedClient } from '../mails/mails-store.ts';
import { findPayment } from '../records/payments-store.ts';

const mailJob = defineJob<{ paymentId: string }>('send-order-request');

/** Queues the email with a filed request to order, in the transaction that files it. */
export const queueOrderRequestMail = (transaction: Transaction, paymentId: string): Promise<void> =>
  mailJob.add(transaction, { paymentId }, { key: `send-order-request ${paymentId}` });

export interface OrderRequestMailDependencies {
  database: Database;
  mailer: Mailer;
  files: Pick<FileStore, 'read'>;
  alertOperator: AlertOperator;
}

/**
 * Emails a request to order to the client who made it, at their account's address: another person may read a receipt’s address.
 * An email that is sent again has the same Message-ID.
 */
export const orderRequestMailHandler = (dependencies: OrderRequestMailDependencies): JobHandler =>
  mailJob.handledBy(async ({ paymentId }) => {
    const { database, mailer } = dependencies;
    const payment = await findPayment(database, paymentId);
    const file = await findStoredFile(database, deskReference(paymentId));
    const client = payment?.confirmedBy && (await findMailedClient(database, payment.confirmedBy));
    // The case or the client was erased meanwhile.
    if (!payment || !file || !client || !payment.orderNowAt) return;
    const title = `Request to order: ${payment.description}`;
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
      subject: payment.provider === 'sandbox' ? `Test payment: ${title}` : title,
      paragraphs: [
        `Hello ${client.firstName},`,
        'You asked us to order this search, in these words:',
        `“${payment.orderWords}”`,
        'Your request is attached. It is also with the documents of your case.',
        ...(payment.provider === 'sandbox' ? ['This was a test payment. No money has moved.'] : []),
      ],
      closing: ['Didn’t ask for this? Call us straight away on a number you already have.'],
      attachments: [
        {
          fileName: 'Request to order.pdf',
          mediaType: 'application/pdf',
          content: await readStoredFile(dependencies, { paymentId, ...file }),
        },
      ],
      identity: { name: `order-request-${paymentId}`, at: payment.orderNowAt },
    });
  });
