import type { ConnectedDatabase } from '../../adapters/postgres/connect.ts';
import { createSandboxBalance } from '../../adapters/sandbox/sandbox-balance.ts';
import { createSandboxDisputes } from '../../adapters/sandbox/sandbox-disputes.ts';
import { createSandboxIntents } from '../../adapters/sandbox/sandbox-intents.ts';
import { createSandboxProvider } from '../../adapters/sandbox/sandbox-provider.ts';
import { createPaymentAttempts } from '../../payments/attempts/payment-attempts.ts';
import { neverPaused } from '../../payments/continuity/continuity.ts';
import { readInstallationId } from '../../payments/continuity/installation-id.ts';
import type { PaymentDependencies } from '../../payments/payment-dependencies.ts';
import { uncheckedAccountKeys } from '../../payments/provider/account-keys.ts';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../settings/read-settings.ts';
import { chooseProviders } from '../choose-providers.ts';

/** Creates the dependencies of the commands about payments. Their alerts go to standard error. */
export async function createPaymentDependencies(
  { database, pool }: ConnectedDatabase,
  settings: Settings,
  clock: Clock,
): Promise<PaymentDependencies> {
  const intents = createSandboxIntents(pool, clock, () => {});
  const disputes = createSandboxDisputes(pool, clock, () => {});
  const alertOperator: AlertOperator = (message, details) =>
    console.error(`${message}: ${JSON.stringify(details)}`);
  return {
    database,
    installationId: await readInstallationId(database),
    ...chooseProviders(
      settings.payments,
      createSandboxProvider(intents, createSandboxBalance(pool, clock), [], clock, disputes),
    ),
    purposes: settings.payments.purposes,
    // Commands recover payments, or check them at an operator's request.
    continuity: neverPaused,
    // No command starts a payment.
    accountKeys: uncheckedAccountKeys,
    attempts: createPaymentAttempts({ limits: settings.payments.attempts, clock, alertOperator }),
    clock,
    alertOperator,
    refundApprovalPence: settings.payments.refundApprovalPence,
    handlerRefundPence: settings.payments.handlerRefundPence,
  };
}
