import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import { type CheckDependencies, checkPayments } from './check-payments.ts';
import { describeDiscrepancy } from './discrepancies.ts';

/** Milliseconds. The hourly check goes back less far than `keyturn payments check`. */
const period = 7 * 24 * 3_600_000;
/** Milliseconds. Longer than the interval of the periodic check of payments. */
const recheckDelay = 35_000;
/** The command prints all discrepancies. */
const maxDescribed = 20;

/** Reconciles payments every hour, and alerts the operator each time until no discrepancy is left. */
export const checkPaymentsHandler = (
  dependencies: CheckDependencies & { alertOperator: AlertOperator },
  options: { recheckDelay?: number } = {},
): JobHandler => ({
  name: 'check-payments',
  schedule: '7 * * * *',
  work: async () => {
    const { clock, alertOperator } = dependencies;
    const since = new Date(clock().getTime() - period);
    const { discrepancies } = await checkPayments(dependencies, { since, recheckDelay, ...options });
    if (discrepancies.length === 0) return;
    alertOperator('payments have discrepancies: run "keyturn payments check"', {
      count: discrepancies.length,
      discrepancies: discrepancies.slice(0, maxDescribed).map(describeDiscrepancy),
    });
  },
});
