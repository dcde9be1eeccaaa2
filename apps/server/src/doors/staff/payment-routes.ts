import { Readable } from 'node:stream';
import type { ExportProfile, MoneyCallKey } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { findExportProfile } from '../../payments/accounts/exports/find-profile.ts';
import { cellsOf, ledgerCsv } from '../../payments/accounts/exports/ledger-csv.ts';
import { fetchBalance } from '../../payments/accounts/fetch-balance.ts';
import { readLedgerReport } from '../../payments/accounts/ledger-report.ts';
import { readLatestEntries } from '../../payments/accounts/read-ledger.ts';
import { changeAllocation } from '../../payments/desk/change-allocation.ts';
import type { PaymentDeskDependencies } from '../../payments/desk/desk-dependencies.ts';
import { listPayments } from '../../payments/desk/list-payments.ts';
import {
  approveRefundAtDesk,
  closeReviewAtDesk,
  nameMatter,
  recordPayerCheck,
  rejectRefundAtDesk,
  requestRefundAtDesk,
  sendLinkAtDesk,
  withdrawLinkAtDesk,
} from '../../payments/desk/payment-actions.ts';
import { listPaymentNotices } from '../../payments/desk/payment-notices.ts';
import { readPaymentPage } from '../../payments/desk/read-payment-page.ts';
import { recordPayout } from '../../payments/desk/record-payout.ts';
import { listStaffDisputes } from '../../payments/desk/staff-disputes.ts';
import { checkPeriod, readStaffLedger } from '../../payments/desk/staff-ledger.ts';
import { listStaffRefunds, toStaffRefund } from '../../payments/desk/staff-refunds.ts';
import { listLinks } from '../../payments/links/list-links.ts';
import { ProviderUnavailable } from '../../payments/ports/provider.ts';
import { readReceiptOf } from '../../payments/receipts/read-receipt.ts';
import { requestCheck } from '../../payments/reconciliation/check-payments-job.ts';
import { readCheckReport } from '../../payments/reconciliation/check-reports.ts';
import { findPayment } from '../../payments/records/payments-store.ts';
import { readRefundBalance } from '../../payments/refunds/refund-balance.ts';
import { byStaff, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';

/** Returns the handlers of the calls about payments, their refunds, disputes and the ledger. */
export const paymentDeskHandlers = (dependencies: PaymentDeskDependencies): StaffHandlers<MoneyCallKey> => ({
  ...paymentHandlers(dependencies),
  ...refundHandlers(dependencies),
  ...ledgerHandlers(dependencies),
});

type RefundCalls = Extract<MoneyCallKey, `${string}refunds${string}`>;
type LedgerCalls = Extract<MoneyCallKey, `${string}/ledger${string}`>;

function paymentHandlers(
  dependencies: PaymentDeskDependencies,
): StaffHandlers<Exclude<MoneyCallKey, RefundCalls | LedgerCalls>> {
  const { database } = dependencies;
  return {
    'GET /staff/payments': ({ query }) => listPayments(database, query),
    'GET /staff/payments/{id}': ({ params, staff }) => readPaymentPage(dependencies, params.id, staff),
    'GET /staff/payments/{id}/refund-balance': ({ params }) => readRefundBalance(dependencies, params.id),
    'GET /staff/payments/{id}/receipt': async ({ params }) => {
      const payment = isId(params.id) ? await findPayment(database, params.id) : undefined;
      if (!payment) throw new DomainError('not_found');
      return readReceiptOf(dependencies, payment);
    },
    'POST /staff/payments/{id}/review': async ({ params, body, staff, address }) => {
      await closeReviewAtDesk(dependencies, params.id, body.decision, { staff, address });
      return readPaymentPage(dependencies, params.id, staff);
    },
    'POST /staff/payments/{id}/payer-check': async ({ params, body, staff, address }) => {
      await recordPayerCheck(dependencies, params.id, body, { staff, address });
      return readPaymentPage(dependencies, params.id, staff);
    },
    'POST /staff/payments/{id}/matter': async ({ params, body, staff, address }) => {
      await nameMatter(dependencies, params.id, body.matter_id, { staff, address });
      return readPaymentPage(dependencies, params.id, staff);
    },
    'POST /staff/payments/{id}/allocation': async ({ params, body, staff, address }) => {
      await changeAllocation(dependencies, params.id, body, { staff, address });
      return readPaymentPage(dependencies, params.id, staff);
    },
    'GET /staff/disputes': () => listStaffDisputes(database),
    'GET /staff/payment-notices': () => listPaymentNotices(dependencies),
    'GET /staff/payment-check': async () => {
      const report = await readCheckReport(database);
      return (
        report && {
          checked_at: report.checkedAt.toISOString(),
          since: report.since.toISOString(),
          payments: report.payments,
          intents: report.intents,
          discrepancies: report.discrepancies,
        }
      );
    },
    'POST /staff/payment-check': async () => {
      await requestCheck(database);
      return undefined;
    },
    'POST /staff/payment-links': async ({ body, staff, address }) => {
      const links = await sendLinkAtDesk(dependencies, body, { staff, address });
      return links.map(({ outcome, ...link }) => ({ ...link, outcome: outcomes[outcome] }));
    },
    'GET /staff/cases/{id}/payment-links': ({ params }) => listLinks(database, params.id),
    'POST /staff/payment-links/{id}/withdraw': async ({ params, staff, address }) => {
      await withdrawLinkAtDesk(dependencies, params.id, { staff, address });
      return undefined;
    },
  };
}

const outcomes = { sent: 'sent', 'sent before': 'sent_before', 'too many': 'too_many' } as const;

function refundHandlers(dependencies: PaymentDeskDependencies): StaffHandlers<RefundCalls> {
  return {
    'POST /staff/payments/{id}/refunds': async ({ params, body, staff, address }) =>
      toStaffRefund(await requestRefundAtDesk(dependencies, params.id, body, { staff, address }), staff),
    'GET /staff/refunds': ({ staff }) => listStaffRefunds(dependencies.database, staff),
    'POST /staff/refunds/{id}/approve': async ({ params, staff, address }) =>
      toStaffRefund(await approveRefundAtDesk(dependencies, params.id, { staff, address }), staff),
    'POST /staff/refunds/{id}/reject': async ({ params, body, staff, address }) =>
      toStaffRefund(
        await rejectRefundAtDesk(dependencies, params.id, body.reason, { staff, address }),
        staff,
      ),
  };
}

function ledgerHandlers(dependencies: PaymentDeskDependencies): StaffHandlers<LedgerCalls> {
  const { database, clock } = dependencies;
  return {
    'GET /staff/ledger': ({ query }) => readStaffLedger(dependencies, query),
    'POST /staff/ledger/fetch': async () => {
      try {
        await fetchBalance(dependencies);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        throw new DomainError('provider_unavailable', {
          message: 'The payment provider doesn’t answer. The ledger is as it was. Please try again later.',
        });
      }
      return undefined;
    },
    'POST /staff/ledger/payouts/{id}': async ({ params, body, staff, address }) => {
      await recordPayout(dependencies, params.id, body, { staff, address });
      return undefined;
    },
    // The download is recorded before it starts, because the file names clients.
    'GET /staff/ledger/csv': async ({ query: { from, to, profile: name }, staff, address }) => {
      checkPeriod({ from, to });
      const profile = await findProfile(database, name);
      await recordAudit(database, {
        occurredAt: clock(),
        ...byStaff({ staff, address }),
        action: 'payment.ledger_exported',
        subject: { kind: 'installation', id: null },
        after: { from, to, profile: profile.name },
      });
      const { ledger } = await readLedgerReport(dependencies, { from, to });
      return {
        content: Readable.from(ledgerCsv(ledger.entries, profile), { objectMode: false }),
        mediaType: 'text/csv; charset=utf-8',
        fileName: `Online payments ${from} to ${to}.csv`,
      };
    },
    'POST /staff/ledger/preview': async ({ body: { profile }, staff, address }) => {
      // Its rows name clients, too.
      await recordAudit(database, {
        occurredAt: clock(),
        ...byStaff({ staff, address }),
        action: 'payment.ledger_exported',
        subject: { kind: 'installation', id: null },
        after: { preview: profile.name, rows: previewedMovements },
      });
      const entries = await readLatestEntries(database, londonDay(clock()), previewedMovements);
      return { headings: profile.columns.map(({ heading }) => heading), rows: cellsOf(entries, profile) };
    },
  };
}

const previewedMovements = 10;

/** @throws DomainError `invalid_input` if the firm has no export format of that name */
async function findProfile(database: Database, name: string | undefined): Promise<ExportProfile> {
  const { profile } = await findExportProfile(database, name);
  if (profile) return profile;
  throw new DomainError('invalid_input', {
    errors: { profile: ['No export format has this name any more. Please choose another.'] },
  });
}
