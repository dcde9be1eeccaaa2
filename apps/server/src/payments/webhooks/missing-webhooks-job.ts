import type { JobHandler } from '../../platform/jobs.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { allProviders, isActive } from '../provider/find-provider.ts';
import { countPaidWithoutWebhook } from '../records/events-store.ts';

/** The maximum delay of a webhook, in milliseconds. */
const grace = 5 * 60_000;
/** In milliseconds. Longer than the interval of the job, so that each payment is covered. */
const period = 65 * 60_000;

/**
 * Every ten minutes looks for payments that only a periodic check found to be paid, because their webhook never
 * arrived. Alerts the operator once an hour while this continues, because payments are then recorded late.
 */
export const missingWebhooksHandler = ({
  database,
  clock,
  alertOperator,
  ...choice
}: Pick<
  PaymentDependencies,
  'database' | 'provider' | 'providers' | 'clock' | 'alertOperator'
>): JobHandler => {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  return {
    name: 'find-missing-webhooks',
    schedule: '*/10 * * * *',
    work: async () => {
      const now = clock().getTime();
      for (const { name } of allProviders(choice).filter(({ name }) => isActive(choice, name))) {
        const { missing, paid } = await countPaidWithoutWebhook(database, {
          provider: name,
          from: new Date(now - period),
          until: new Date(now - grace),
        });
        if (missing > 0) alertOnceAnHour(name, missingWebhooksMessage, { provider: name, missing, paid });
      }
    },
  };
};

export const missingWebhooksMessage =
  'webhooks of payments do not come: check the endpoint at the provider, its address, its secret and its events, and what is in front of this server';
