import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import { type CheckDependencies, checkPayments } from './check-payments.ts';
import { describeDifference } from './differences.ts';

/** Milliseconds that the hourly check looks back; `keyturn payments check` looks further. */
const lookBack = 7 * 24 * 3_600_000;
/** Milliseconds: longer than a round of the catch-up takes to come. */
const settling = 35_000;
/** Differences that are written out; the command prints them all. */
const atMost = 20;

/** The check of payments, every hour: a difference is told to a person each time until it is gone. */
export const checkPaymentsHandler = (
  dependencies: CheckDependencies & { alertOperator: AlertOperator },
  options: { settling?: number } = {},
): JobHandler => ({
  name: 'check-payments',
  schedule: '7 * * * *',
  work: async () => {
    const { clock, alertOperator } = dependencies;
    const since = new Date(clock().getTime() - lookBack);
    const { differences } = await checkPayments(dependencies, { since, settling, ...options });
    if (differences.length === 0) return;
    alertOperator('the payments do not agree: run "keyturn payments check"', {
      count: differences.length,
      differences: differences.slice(0, atMost).map(describeDifference),
    });
  },
});
