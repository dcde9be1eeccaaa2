import { limitAlerts } from '../../platform/limit-alerts.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { allProviders } from '../provider/find-provider.ts';
import { findPaymentOfIntent } from '../records/intents-store.ts';

/**
 * The minimum interval, in milliseconds, between database lookups for rejected webhooks, because anyone can send any
 * number of them.
 */
const minInterval = 1_000;

/**
 * Creates the monitoring of webhooks with a wrong signature. If one names an existing payment, the provider's secret
 * differs from our setting, and the operator is alerted immediately, and then once an hour while this continues.
 * Others are forged or meant for other software, and only counted.
 * @returns a function to call with each rejected webhook
 */
export function createSignatureWatch({
  database,
  clock,
  alertOperator,
  ...choice
}: Pick<PaymentDependencies, 'database' | 'provider' | 'providers' | 'clock' | 'alertOperator'>) {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  let rejected = 0;
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  return async (provider: ProviderName, body: Buffer): Promise<void> => {
    rejected += 1;
    const now = clock().getTime();
    if (Math.abs(now - lookedUpAt) < minInterval) return;
    const intentId = intentNamedIn(body);
    if (intentId === null) return;
    lookedUpAt = now;
    // The webhook may have been sent to the address of another account.
    for (const { name } of allProviders(choice)) {
      if (!(await findPaymentOfIntent(database, { provider: name, intentId, paymentId: null }))) continue;
      alertOnceAnHour('signature', wrongSecretMessage, { provider, payments: name, rejected });
      return;
    }
  };
}

export const wrongSecretMessage =
  'webhooks of our payments are rejected because their signature is wrong: compare the webhook secret in the settings with the one of the endpoint at the provider, and the clock of this server';

/** Finds the id of an intent anywhere in an unverified body. */
function intentNamedIn(body: Buffer): string | null {
  return /"(pi_[A-Za-z0-9]{8,100})(?:_secret_[A-Za-z0-9_-]+)?"/.exec(body.toString('utf8'))?.[1] ?? null;
}
