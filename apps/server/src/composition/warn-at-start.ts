import type { FastifyBaseLogger } from 'fastify';
import { findServerWarnings } from '../adapters/postgres/server-warnings.ts';
import type { PaymentDependencies } from '../features/payments/payment-dependencies.ts';
import { alertFormerPayments } from '../features/payments/provider/alert-former-payments.ts';
import { bankHolidayWarning } from '../features/payments/reconciliation/bank-holiday-warning.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Logs what works but should be corrected: in the settings, the document store and the keys of Stripe. */
export function warnOfSettings(
  log: FastifyBaseLogger,
  warnings: string[],
  { stripe }: Settings['payments'],
): void {
  for (const warning of warnings) log.warn(warning);
  // A stolen restricted key can do only what Keyturn does.
  const accounts = {
    KEYTURN_STRIPE_SECRET_KEY: stripe?.client,
    KEYTURN_STRIPE_BUSINESS_SECRET_KEY: stripe?.business,
  };
  for (const [setting, account] of Object.entries(accounts)) {
    if (!account?.secretKey.startsWith('sk_live_')) continue;
    log.warn({ setting }, 'a full secret key of Stripe is set: replace it with a restricted key');
  }
}

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
