import type { JobHandler } from '../../../platform/jobs.ts';
import { limitAlerts } from '../../../platform/limit-alerts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { countPaidWithoutWebhook } from './events-store.ts';

/** Milliseconds that a webhook may take. */
const grace = 5 * 60_000;
/** Milliseconds. Longer than the interval of the job, so that each payment is looked at. */
const period = 65 * 60_000;

/**
 * Looks every ten minutes for payments that were found to be paid by asking, and whose webhook never came. Alerts the
 * operator once an hour while that lasts: payments are then recorded late.
 */
export const missingWebhooksHandler = ({
  database,
  provider,
  clock,
  alertOperator,
}: Pick<PaymentDependencies, 'database' | 'provider' | 'clock' | 'alertOperator'>): JobHandler => {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  return {
    name: 'find-missing-webhooks',
    schedule: '*/10 * * * *',
    work: async () => {
      const now = clock().getTime();
      const { missing, paid } = await countPaidWithoutWebhook(database, {
        provider: provider.name,
        from: new Date(now - period),
        until: new Date(now - grace),
      });
      if (missing === 0) return;
      alertOnceAnHour('missing', missingWebhooksMessage, { provider: provider.name, missing, paid });
    },
  };
};

export const missingWebhooksMessage =
  'webhooks of payments do not come: check the endpoint at the provider, its address, its secret and its events, and what is in front of this server';
