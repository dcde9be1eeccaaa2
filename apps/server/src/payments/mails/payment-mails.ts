import { londonDay } from '@keyturn/format/london-time';
import { payableCases } from '../../case-file/cases/payable-cases.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { describedAtPayment, findPaidBill, toReceiptContent } from '../receipts/read-receipt.ts';
import type { StoredReceipts } from '../receipts/stored-receipts.ts';
import { findPayment } from '../records/payments-store.ts';
import { findProviderRefunds } from '../records/refunds-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { composeMailToOthers, composePaymentMail } from './compose-payment-mail.ts';
import {
  findLastOccasion,
  findMail,
  findMailedClient,
  insertMail,
  isAddressOnCase,
  markMailSent,
  type PaymentMailKey,
} from './mails-store.ts';

/** An email about a payment that is to be sent. */
export type PlannedMail =
  | { kind: 'receipt' }
  /** Each refund has at most one email of each kind. `amount` is the amount of this refund, in pence. */
  | { kind: 'refund' | 'refund_failed'; refundId: string; amount: number }
  | { kind: 'not_paid' };

const paymentMailJob = defineJob<PaymentMailKey>('send-payment-mail');

/**
 * Stores the planned emails, each once, in the transaction of the change that they report, and queues them. They go to
 * the client who confirmed the payment, and to no one else.
 * @param payment as it was before the change, locked
 */
export async function queuePaymentMails(
  transaction: Transaction,
  payment: PaymentRow,
  mails: PlannedMail[],
  at: Date,
): Promise<void> {
  for (const mail of mails) {
    const clientId = payment.confirmedBy ?? payment.clientId;
    const address = payment.receiptEmail ?? (await findMailedClient(transaction, clientId))?.email;
    if (!address) throw new Error(`payment ${payment.id} has no client to send mail to`);
    const key = {
      paymentId: payment.id,
      kind: mail.kind,
      occasion: await occasionOf(transaction, payment, mail),
    };
    const { amount, refundId } = 'refundId' in mail ? mail : { amount: null, refundId: null };
    const written = { ...key, clientId, address, amount, refundId, writtenAt: at };
    if (!(await insertMail(transaction, written))) continue;
    await paymentMailJob.add(transaction, key, { key: `payment-mail ${nameOf(key)}` });
  }
}

/** Numbers the emails of one kind about a payment; the receipt is sent once. */
const occasionOf = async (
  transaction: Transaction,
  { id: paymentId }: PaymentRow,
  { kind }: PlannedMail,
): Promise<number> =>
  kind === 'receipt' ? 1 : 1 + (await findLastOccasion(transaction, { paymentId, kind }));

export interface PaymentMailDependencies {
  database: Database;
  mailer: Mailer;
  receipts: StoredReceipts;
  clock: Clock;
  /** The address of the dashboard, without a trailing slash. */
  dashboardUrl(): string;
}

export const paymentMailHandler = (dependencies: PaymentMailDependencies) =>
  paymentMailJob.handledBy((key) => sendPaymentMail(dependencies, key));

/**
 * Sends one email unless it was sent before. If the server dies after the email was accepted and before that is recorded,
 * the email is sent again under the same Message-ID, so that mail servers can drop the duplicate.
 */
async function sendPaymentMail(
  { database, mailer, receipts, clock, dashboardUrl }: PaymentMailDependencies,
  key: PaymentMailKey,
): Promise<void> {
  const mail = await findMail(database, key);
  const payment = await findPayment(database, key.paymentId);
  if (!mail || mail.sentAt || !payment) return;
  // The client has paid with another card meanwhile.
  if (key.kind === 'not_paid' && payment.paidAt) return;
  const client = await findMailedClient(database, mail.clientId);
  const described = await payableCases.describe(database, {
    caseId: payment.caseId,
    matterId: payment.matterId,
    payerId: mail.clientId,
  });
  if (!client || !described) throw new Error('a payment mail needs a client and a firm');

  const refunds = await findProviderRefunds(database, [payment.id]);
  const bill = await findPaidBill(database, payment);
  const receipt = toReceiptContent(payment, { refunds, described, bill });
  const own = { name: `${client.firstName} ${client.lastName}`, address: client.email };
  const common = {
    payment,
    refundAmount: mail.amount ?? 0,
    refundStatus: refunds.find(({ id }) => id === mail.refundId)?.status ?? null,
  };
  // A receipt's address may belong to another person, whom a payment or refund that failed does not concern.
  const { kind } = key;
  const isToOthers =
    (kind === 'receipt' || kind === 'refund') &&
    !(await isAddressOnCase(database, payment.caseId, mail.address));
  const isOwn =
    kind === 'refund_failed' ||
    kind === 'not_paid' ||
    mail.address.toLowerCase() === client.email.toLowerCase();
  const messageId = await mailer.send({
    ...(isToOthers
      ? { to: { name: '', address: mail.address }, ...composeMailToOthers({ kind, ...common }) }
      : {
          to: isOwn ? own : { name: '', address: mail.address },
          ...composePaymentMail({
            kind,
            ...common,
            described: describedAtPayment(described, payment),
            bill,
            greeting: isOwn ? `Hello ${client.firstName},` : 'Hello,',
            today: londonDay(clock()),
          }),
          action: { label: 'Sign in', url: `${dashboardUrl()}/` },
          attachments: receipt
            ? [
                {
                  fileName: `Receipt ${receipt.receiptNumber}.pdf`,
                  mediaType: 'application/pdf',
                  content: await receipts.get(payment.id, receipt),
                },
              ]
            : [],
        }),
    identity: { name: nameOf(key), at: mail.writtenAt },
  });
  await markMailSent(database, key, { at: clock(), messageId });
}

const nameOf = ({ kind, paymentId, occasion }: PaymentMailKey) => `payment-${kind}-${paymentId}-${occasion}`;
