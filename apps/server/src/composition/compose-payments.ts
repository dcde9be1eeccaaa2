import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { createHighWaterMarkFile } from '../adapters/files/high-water-mark-file.ts';
import { createSandbox, type Sandbox } from '../adapters/sandbox/create-sandbox.ts';
import { createPaymentAttempts } from '../payments/attempts/payment-attempts.ts';
import { expirePayments } from '../payments/checkout/expire-payments.ts';
import { createContinuity } from '../payments/continuity/continuity.ts';
import { syncDuePayments } from '../payments/intents/sync-due-payments.ts';
import type { PaymentDependencies } from '../payments/payment-dependencies.ts';
import type { ProviderChoice } from '../payments/ports/provider.ts';
import { createAccountKeys } from '../payments/provider/account-keys.ts';
import { alertOnRejectedKey, type KeyWatch } from '../payments/provider/alert-on-rejected-key.ts';
import { allProviders, forEachProvider, isActive } from '../payments/provider/find-provider.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { describeError } from '../platform/describe-error.ts';
import { repeat } from '../platform/repeat.ts';
import { withSpans } from '../platform/tracing/spans.ts';
import type { Settings } from '../settings/read-settings.ts';
import { chooseProviders } from './choose-providers.ts';
import type { ServerReference } from './server-reference.ts';

export interface PaymentOptions {
  settings: Settings;
  /** The installation's secret. */
  secret: string;
  installationId: string;
  pool: pg.Pool;
  database: Database;
  clock: Clock;
  server: ServerReference;
  /** Milliseconds between two runs that expire and update open payments. */
  catchUpEvery: number | undefined;
}

export interface ComposedPayments {
  dependencies: PaymentDependencies;
  /** Null with another provider: then the sandbox has no routes and sends no webhooks. */
  sandbox: Sandbox | null;
  /** Expires and updates open payments, repeatedly. */
  catchUp: { start(): void; stop(): Promise<void> };
  /** Whether the provider's latest answer was that it rejects our key. */
  isKeyRejected(): boolean;
}

export function composePayments(options: PaymentOptions): ComposedPayments {
  const { settings, pool, database, clock, server } = options;
  const alertOperator = server.alertAbout('payments');
  const sandbox = createSandbox({
    pool,
    clock,
    webhookSecrets: [createHmac('sha256', options.secret).update('sandbox webhooks').digest('hex')],
    webhookUrl: () => server.address('/api/webhooks/sandbox'),
    onError: (error) => server.warn('sandbox webhooks could not be delivered', error),
  });
  const isSandbox = settings.payments.provider === 'sandbox' && !settings.payments.isOff;
  const { provider, providers, isKeyRejected } = composeProviders(options, sandbox);
  const { installationId } = options;
  const continuity = createContinuity({
    database,
    installationId,
    provider,
    providers,
    clock,
    alertOperator,
    highWaterMark: createHighWaterMarkFile(join(settings.dataDirectory, 'payments-witness.json')),
  });
  const accountKeys = createAccountKeys({ database, provider, providers, clock, alertOperator });
  const attempts = createPaymentAttempts({ limits: settings.payments.attempts, clock, alertOperator });
  const dependencies: PaymentDependencies = {
    database,
    installationId,
    continuity,
    accountKeys,
    provider,
    providers,
    purposes: settings.payments.purposes,
    attempts,
    clock,
    alertOperator,
    refundApprovalPence: settings.payments.refundApprovalPence,
    handlerRefundPence: settings.payments.handlerRefundPence,
  };
  const catchUp = repeat({
    interval: options.catchUpEvery ?? defaultCatchUpInterval,
    work: async (signal) => {
      // Payments that a bank was still confirming when the provider changed.
      if (!isSandbox) await sandbox.intents.settleDue();
      for (const current of allProviders(dependencies)) await current.readAccountId().catch(() => null);
      await accountKeys.watch();
      if (signal.aborted || !(await continuity.compare())) return;
      await forEachProvider(dependencies, async (atProvider) => {
        await expirePayments(atProvider, signal);
        await syncDuePayments(atProvider, signal);
      });
      await attempts.deleteExpired(database);
    },
    onError: (error) =>
      alertOperator('open payments could not be updated', { reason: describeError(error).message }),
  });
  return { dependencies, sandbox: isSandbox ? sandbox : null, catchUp, isKeyRejected };
}

/** Chooses the providers, and watches whether each accepts its key. */
function composeProviders(
  { settings, clock, server }: PaymentOptions,
  sandbox: Sandbox,
): ProviderChoice & { isKeyRejected(): boolean } {
  const watches: KeyWatch[] = [];
  const chosen = chooseProviders(settings.payments, sandbox.provider, (unwatched) => {
    const watched = alertOnRejectedKey(unwatched, { alertOperator: server.alertAbout('payments'), clock });
    watches.push(watched);
    return settings.tracing ? withSpans(watched.provider, 'payments') : watched.provider;
  });
  const isActiveName = ({ provider: { name } }: KeyWatch) => isActive(chosen, name);
  return {
    ...chosen,
    isKeyRejected: () => watches.filter(isActiveName).some(({ isKeyRejected }) => isKeyRejected()),
  };
}

/** Milliseconds. */
const defaultCatchUpInterval = 30_000;
