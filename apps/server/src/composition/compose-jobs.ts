import { join } from 'node:path';
import type pg from 'pg';
import { createMailer } from '../adapters/mail/create-mailer.ts';
import type { Letterhead } from '../adapters/mail/render-mail.ts';
import { createJobRunner, type JobRunner } from '../adapters/postgres/run-jobs.ts';
import type { ClockWatch } from '../adapters/postgres/watch-clocks.ts';
import type { AuditArchive } from '../features/audit/ports.ts';
import { auditLogHandler } from '../features/audit/watch-audit-log.ts';
import { erasedFilesHandler } from '../features/data-protection/erasure/remove-erased-files.ts';
import { retentionHandler } from '../features/data-protection/retention/erase-due.ts';
import { withdrawnDocumentHandlers } from '../features/documents/withdraw-document.ts';
import type { ImportDependencies } from '../features/feed/batches/batch-context.ts';
import {
  expiredSpreadsheetsHandler,
  spreadsheetHandler,
} from '../features/feed/spreadsheets/uploads/run-spreadsheet.ts';
import { changedEmailHandler } from '../features/feed/writers/report-changed-email.ts';
import { oldEventsHandler } from '../features/outgoing-webhooks/delete-old-events.ts';
import { fetchBalanceHandler } from '../features/payments/accounts/fetch-balance.ts';
import { cancelAfterDeclinesHandler } from '../features/payments/checkout/cancel-after-declines.ts';
import { checkDisputesHandler } from '../features/payments/disputes/check-disputes-job.ts';
import { linkMailHandler } from '../features/payments/links/send-link.ts';
import { paymentMailHandler } from '../features/payments/mails/payment-mails.ts';
import type { PaymentDependencies } from '../features/payments/payment-dependencies.ts';
import type { StoredReceipts } from '../features/payments/receipts/stored-receipts.ts';
import { checkPaymentsHandler } from '../features/payments/reconciliation/check-payments-job.ts';
import { labelReceiptHandler } from '../features/payments/recovery/label-receipt-job.ts';
import { syncRefundsHandler } from '../features/payments/refunds/sync-refunds.ts';
import { missingWebhooksHandler } from '../features/payments/webhooks/missing-webhooks-job.ts';
import { clientNoticeHandler } from '../features/sign-in/client-notices.ts';
import {
  emailChangeHandler,
  undoneMailHandler,
} from '../features/sign-in/email-change/email-change-mails.ts';
import { guessingHandler } from '../features/sign-in/report-guessing.ts';
import { passwordLinkHandler } from '../features/sign-in/send-password-link.ts';
import { passwordSetHandler } from '../features/sign-in/set-password.ts';
import { staffInvitationHandler, staffNoticeHandler } from '../features/staff/accounts/staff-mails.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { FileStore } from '../platform/stored-file.ts';
import { installation } from '../platform/tables/tables.ts';
import { withSpans } from '../platform/tracing/spans.ts';
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
  importing: ImportDependencies;
  files: FileStore;
  auditArchive: AuditArchive | null;
}): JobRunner {
  const mailing = {
    database,
    mailer: withSpans(
      createMailer({
        ...settings.mail,
        outbox: join(settings.dataDirectory, 'outbox'),
        clock,
        letterhead: () => readLetterhead(database, settings),
      }),
      'mail',
    ),
    clock,
    dashboardUrl: () => settings.publicUrl ?? server.address() ?? '',
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
      paymentMailHandler({ ...mailing, cases: payments.cases, receipts }),
      linkMailHandler(mailing),
      staffInvitationHandler(mailing),
      staffNoticeHandler(mailing),
      cancelAfterDeclinesHandler(payments),
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

async function readLetterhead(database: Database, { productName }: Settings): Promise<Letterhead> {
  const [row] = await database.select().from(installation);
  return {
    name: row?.firm?.name ?? productName,
    phone: row?.firm?.phone ?? null,
    address: row?.firm?.address ?? [],
    sraNumber: row?.firm?.sra_number ?? null,
  };
}
