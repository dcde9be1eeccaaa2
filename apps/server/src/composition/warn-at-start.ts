import type { FastifyBaseLogger } from 'fastify';
import { findServerWarnings } from '../adapters/postgres/server-warnings.ts';
import type { PaymentDependencies } from '../payments/payment-dependencies.ts';
import { alertFormerPayments } from '../payments/provider/alert-former-payments.ts';
import { bankHolidayWarning } from '../payments/reconciliation/bank-holiday-warning.ts';

/** Logs what the database cannot carry. @param options as for `findServerWarnings` */
export async function warnOfDatabase(
  log: FastifyBaseLogger,
  options: Parameters<typeof findServerWarnings>[0],
): Promise<void> {
  for (const warning of await findServerWarnings(options)) log.warn(warning);
}

/** Alerts the operator to payments at a former provider, and to bank holidays that end soon. */
export async function alertAboutPayments(payments: PaymentDependencies): Promise<void> {
  await alertFormerPayments(payments);
  const holidays = await bankHolidayWarning(payments.database, payments.clock());
  if (holidays) payments.alertOperator(holidays, {});
}
