import { formatDayAndTime } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { safeFileName } from '@keyturn/format/safe-file-name';
import { sql } from 'drizzle-orm';
import { type DescribedCase, payableCases } from '../../case-file/cases/payable-cases.ts';
import { fileDocument, insertRead } from '../../case-file/documents/documents-store.ts';
import { findStoredFile } from '../../case-file/documents/stored-files.ts';
import { deskPrefix, deskReference } from '../../case-file/records/references.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { storeAndRecord } from '../../platform/files/file-reservations.ts';
import { defineJob, type JobHandler } from '../../platform/jobs.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import type { FactSheet, FactSheetPrinter } from '../ports/printers.ts';
import { findPayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { queueOrderRequestMail } from './order-request-mail.ts';

const fileJob = defineJob<{ paymentId: string }>('file-order-request');

/**
 * Queues a job that files a client's request to order a search, which they have paid for, as a document of the case, and emails
 * it to them. *Today* lists the search as one to order once this is done. A payment without a request queues nothing.
 */
export async function queueOrderRequest(
  transaction: Transaction,
  { id, orderWords }: PaymentRow,
): Promise<void> {
  if (orderWords !== null)
    await fileJob.add(transaction, { paymentId: id }, { key: `file-order-request ${id}` });
}

/**
 * Queues the requests to order that are not filed, because a server of release 0.2 recorded the payment, or because the job has
 * failed too often. Run every hour.
 * @param query.paidSince earlier payments are left out
 */
export async function queueUnfiledRequests(
  database: Database,
  { paidSince, paidBefore }: { paidSince: Date; paidBefore: Date },
): Promise<void> {
  const { rows } = await database.execute<{ id: string }>(sql`
    select id from payments where order_words is not null and paid_at > ${paidSince.toISOString()}::timestamptz
      and paid_at < ${paidBefore.toISOString()}::timestamptz
      and not exists (select from documents where reference = ${deskPrefix} || payments.id)`);
  for (const { id } of rows)
    await fileJob.add(database, { paymentId: id }, { key: `file-order-request ${id}` });
}

export interface OrderRequestDependencies {
  database: Database;
  files: Pick<FileStore, 'put'>;
  factSheetPrinter: FactSheetPrinter;
  clock: Clock;
}

/** Files requests to order, each once. */
export const orderRequestHandler = (dependencies: OrderRequestDependencies): JobHandler =>
  fileJob.handledBy(({ paymentId }) => fileOrderRequest(dependencies, paymentId));

async function fileOrderRequest(
  { database, files, factSheetPrinter, clock }: OrderRequestDependencies,
  paymentId: string,
): Promise<void> {
  const payment = await findPayment(database, paymentId);
  const request = payment && requestOf(payment);
  if (!request || (await findStoredFile(database, deskReference(paymentId)))) return;
  const described = await payableCases.describe(database, {
    caseId: payment.caseId,
    matterId: request.matterId,
    payerId: request.clientId,
  });
  // The case was erased meanwhile.
  if (!described) return;
  const now = clock();
  const sheet = composeSheet(payment, request, described, now);
  const content = await factSheetPrinter.printFactSheet(sheet);
  await storeAndRecord({ database, files }, content, (sha256) =>
    runTransaction(database, async (transaction) => {
      const documentId = await fileDocument(transaction, {
        matterId: request.matterId,
        reference: deskReference(paymentId),
        group: 'client-care',
        title: sheet.title,
        fileName: safeFileName(`${sheet.title}.pdf`),
        mediaType: 'application/pdf',
        size: content.length,
        sha256,
        uploadedBy: described.payerName,
        sharedAt: now,
      });
      if (documentId === null) return;
      // The client has read their own words.
      await insertRead(transaction, { clientId: request.clientId, documentId }, now);
      await recordAudit(transaction, {
        occurredAt: now,
        actor: { kind: 'system', id: null, name: 'Keyturn' },
        action: 'document.request_filed',
        subject: { kind: 'document', id: documentId },
        after: { payment: paymentId, sha256 },
      });
      await queueOrderRequestMail(transaction, paymentId);
    }),
  );
}

interface OrderRequest {
  matterId: string;
  clientId: string;
  words: string;
  requestedAt: Date;
}

/** @returns null for a payment that is not paid, or has no request */
function requestOf({
  paidAt,
  matterId,
  confirmedBy,
  orderWords,
  orderNowAt,
}: PaymentRow): OrderRequest | null {
  if (!paidAt || !matterId || !confirmedBy || !orderWords || !orderNowAt) return null;
  return { matterId, clientId: confirmedBy, words: orderWords, requestedAt: orderNowAt };
}

function composeSheet(
  { description, amount, receiptNumber, orderWording, provider }: PaymentRow,
  { words, requestedAt }: OrderRequest,
  { firm, statutoryLine, payerName, property, caseReference }: DescribedCase,
  now: Date,
): FactSheet {
  const facts: [string, string | null][] = [
    ['Requested by', payerName],
    ['Requested on', formatDayAndTime(requestedAt)],
    ['Search', description],
    ['Property', property],
    ['Case', caseReference],
    ['Paid', formatMoney(amount)],
    ['Receipt', receiptNumber],
    ['Version of the words', orderWording],
  ];
  return {
    firm,
    statutoryLine,
    title: `Request to order: ${description}`,
    introduction: `${payerName} asked ${firm.name} to order this search, in these words.`,
    preparedAt: now,
    sections: [
      { heading: 'The words', facts: [], notes: [`“${words}”`] },
      {
        heading: 'The request',
        facts: facts.filter((fact): fact is [string, string] => fact[1] !== null),
        notes: [],
      },
    ],
    sandbox: provider === 'sandbox',
  };
}
