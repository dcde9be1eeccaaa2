import { join } from 'node:path';
import { bankDetailsText } from '@keyturn/format/bank-details-advice';
import { londonDay } from '@keyturn/format/london-time';
import type pg from 'pg';
import { createMailer } from '../adapters/mail/create-mailer.ts';
import type { Letterhead } from '../adapters/mail/render-mail.ts';
import { createJobRunner, type JobRunner } from '../adapters/postgres/run-jobs.ts';
import type { ClockWatch } from '../adapters/postgres/watch-clocks.ts';
import { withdrawnDocumentHandlers } from '../case-file/documents/withdrawn-document-mail.ts';
import type { ImportDependencies } from '../case-file/import/batches/batch-context.ts';
import { expiredSpreadsheetsHandler } from '../doors/spreadsheets/uploads/delete-spreadsheets-job.ts';
import { spreadsheetHandler } from '../doors/spreadsheets/uploads/run-spreadsheet-job.ts';
import { oldEventsHandler } from '../live/webhooks/delete-old-events-job.ts';
import { fetchBalanceHandler } from '../payments/accounts/fetch-balance.ts';
import { cancelAfterDeclinesHandler } from '../payments/checkout/cancel-after-declines.ts';
import { cancelPaymentsHandler } from '../payments/checkout/cancel-payments-of-client.ts';
import { checkDisputesHandler } from '../payments/disputes/check-disputes-job.ts';
import { labelReceiptHandler } from '../payments/intents/label-receipt-job.ts';
import { linkMailHandler } from '../payments/links/send-link.ts';
import { paymentMailHandler } from '../payments/mails/payment-mails.ts';
import { orderRequestHandler } from '../payments/order-requests/file-order-request-job.ts';
import { orderRequestMailHandler } from '../payments/order-requests/order-request-mail.ts';
import type { PaymentDependencies } from '../payments/payment-dependencies.ts';
import type { FactSheetPrinter } from '../payments/ports/printers.ts';
import type { StoredReceipts } from '../payments/receipts/stored-receipts.ts';
import { checkPaymentsHandler } from '../payments/reconciliation/check-payments-job.ts';
import { syncRefundsHandler } from '../payments/refunds/sync-refunds.ts';
import { missingWebhooksHandler } from '../payments/webhooks/missing-webhooks-job.ts';
import { clientNoticeHandler } from '../people/clients/client-notice-mail.ts';
import { emailChangeHandler, undoneMailHandler } from '../people/clients/email-change/email-change-mail.ts';
import { guessingHandler } from '../people/clients/guessing-mail.ts';
import { passwordSetHandler } from '../people/clients/new-password-mail.ts';
import { passwordLinkHandler } from '../people/clients/password-link-mail.ts';
import { changedEmailHandler } from '../people/clients/record/changed-email-mail.ts';
import { staffInvitationHandler, staffNoticeHandler } from '../people/staff/accounts/staff-mail.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { readRegulatedFirm, statutoryLineOf } from '../platform/firm-data/statutory-line.ts';
import type { FileStore } from '../platform/stored-file.ts';
import { withSpans } from '../platform/tracing/spans.ts';
import type { AuditArchive } from '../records/audit/ports.ts';
import { auditLogHandler } from '../records/audit/watch-audit-log-job.ts';
import { erasedFilesHandler } from '../records/data-protection/erasure/remove-erased-files-job.ts';
import { retentionHandler } from '../records/data-protection/retention/erase-due-job.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ServerReference } from './server-reference.ts';

/** Creates the worker of the job queue: emails, and jobs that check or end payments. */
export function composeJobs({
  settings,
  pool,
  database,
  clock,
  allowsDeletion,
  server,
  payments,
  receipts,
  factSheetPrinter,
  importing,
  files,
  auditArchive,
}: {
  settings: Settings;
  pool: pg.Pool;
  database: Database;
  clock: Clock;
  allowsDeletion: ClockWatch['allowsDeletion'];
  server: ServerReference;
  payments: PaymentDependencies;
  receipts: StoredReceipts;
  factSheetPrinter: FactSheetPrinter;
  importing: ImportDependencies;
  files: FileStore;
  auditArchive: AuditArchive | null;
}): JobRunner {
  const dashboardUrl = () => settings.publicUrl ?? server.address() ?? '';
  const mailing = {
    database,
    mailer: withSpans(
      createMailer({
        ...settings.mail,
        outbox: join(settings.dataDirectory, 'outbox'),
        clock,
        letterhead: () => readLetterhead({ database, clock, settings }, dashboardUrl()),
      }),
      'mail',
    ),
    clock,
    dashboardUrl,
  };
  return createJobRunner({
    pool,
    handlers: [
      passwordLinkHandler(mailing),
      passwordSetHandler(mailing),
      clientNoticeHandler(mailing),
      emailChangeHandler(mailing),
      undoneMailHandler(mailing),
      ...withdrawnDocumentHandlers(mailing),
      changedEmailHandler(mailing),
      guessingHandler({ ...mailing, alertOperator: server.alertAbout('sign_in') }),
      paymentMailHandler({ ...mailing, receipts }),
      orderRequestHandler({ database, files, factSheetPrinter, clock }),
      orderRequestMailHandler({ ...mailing, files, alertOperator: server.alertAbout('documents') }),
      linkMailHandler(mailing),
      staffInvitationHandler(mailing),
      staffNoticeHandler(mailing),
      cancelAfterDeclinesHandler(payments),
      cancelPaymentsHandler(payments),
      fetchBalanceHandler(payments),
      checkPaymentsHandler(payments),
      labelReceiptHandler(payments),
      missingWebhooksHandler(payments),
      syncRefundsHandler(payments),
      checkDisputesHandler(payments),
      oldEventsHandler({ database, clock }),
      spreadsheetHandler(importing),
      expiredSpreadsheetsHandler({ database, clock }),
      erasedFilesHandler({
        database,
        files,
        clock,
        mayRemoveUnused: () => allowsDeletion('the removal of unused files'),
      }),
      retentionHandler({
        database,
        clock,
        mayErase: () => allowsDeletion('the erasure of due records'),
      }),
      auditLogHandler({
        database,
        clock,
        alertOperator: server.alertAbout('audit_log'),
        archive: auditArchive,
      }),
    ],
    alertOperator: server.alertAbout('jobs'),
  });
}

async function readLetterhead(
  { database, clock, settings: { productName } }: { database: Database; clock: Clock; settings: Settings },
  dashboardUrl: string,
): Promise<Letterhead> {
  const regulated = await readRegulatedFirm(database);
  const { firm } = regulated;
  return {
    name: firm?.name ?? productName,
    phone: firm?.phone ?? null,
    address: firm?.address ?? [],
    bankDetails: bankDetailsText(regulated.regulation.bank_details_adopted_on, londonDay(clock())),
    statutoryLine: statutoryLineOf(regulated),
    dashboardAddress: dashboardUrl.replace(/^https?:\/\//, ''),
  };
}
