import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Connection } from '../../platform/database.ts';
import { defineJob, type JobHandler } from '../../platform/jobs.ts';
import { queueUnfiledRequests } from '../order-requests/file-order-request-job.ts';
import { describeDiscrepancy } from '../records/discrepancies.ts';
import { type CheckDependencies, checkPayments } from './check-payments.ts';
import { storeCheckReport } from './check-reports.ts';

/** In milliseconds. The hourly check covers a shorter period than `keyturn payments check`. */
const period = 7 * 24 * 3_600_000;
/** Milliseconds. Longer than the interval of the periodic check of payments. */
const recheckDelay = 35_000;
/** Milliseconds in which a request to order is filed, unless something is wrong. */
const filingAllowance = 15 * 60_000;
/** The command prints all discrepancies. */
const maxDescribed = 20;

const checkJob = defineJob<object>('check-payments');

/** Starts a reconciliation now. Several requests at the same time start one. */
export const requestCheck = (connection: Connection): Promise<void> =>
  checkJob.add(connection, {}, { key: 'check-payments-now' });

/** Reconciles payments every hour, files requests to order that were missed, and alerts the operator each time until no discrepancy is left. */
export const checkPaymentsHandler = (
  dependencies: CheckDependencies & { alertOperator: AlertOperator },
  options: { recheckDelay?: number } = {},
): JobHandler => ({
  name: checkJob.name,
  schedule: '7 * * * *',
  work: async () => {
    const { database, clock, alertOperator } = dependencies;
    const since = new Date(clock().getTime() - period);
    const paidBefore = new Date(clock().getTime() - filingAllowance);
    await queueUnfiledRequests(database, { paidSince: since, paidBefore });
    const report = await checkPayments(dependencies, { since, recheckDelay, ...options });
    await storeCheckReport(database, clock(), report);
    const { discrepancies } = report;
    if (discrepancies.length === 0) return;
    alertOperator('payments have discrepancies: run "keyturn payments check"', {
      count: discrepancies.length,
      discrepancies: discrepancies.slice(0, maxDescribed).map(describeDiscrepancy),
    });
  },
});
