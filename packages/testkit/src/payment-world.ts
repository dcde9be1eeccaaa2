import { type PaymentMethod, paymentPurposes } from '@keyturn/contract';
import { createSandboxBalance } from '@keyturn/server/adapters/sandbox/sandbox-balance.ts';
import {
  createSandboxDisputes,
  type SandboxDisputes,
} from '@keyturn/server/adapters/sandbox/sandbox-disputes.ts';
import {
  createSandboxIntents,
  type SandboxIntents,
} from '@keyturn/server/adapters/sandbox/sandbox-intents.ts';
import { createSandboxProvider } from '@keyturn/server/adapters/sandbox/sandbox-provider.ts';
import { createPaymentAttempts } from '@keyturn/server/payments/attempts/payment-attempts.ts';
import { startSearchPayment } from '@keyturn/server/payments/checkout/start-search-payment.ts';
import { neverPaused } from '@keyturn/server/payments/continuity/continuity.ts';
import type { PaymentDependencies } from '@keyturn/server/payments/payment-dependencies.ts';
import type { FraudSubject } from '@keyturn/server/payments/ports/disputes.ts';
import type { PaymentProvider, ProviderEvent } from '@keyturn/server/payments/ports/provider.ts';
import { uncheckedAccountKeys } from '@keyturn/server/payments/provider/account-keys.ts';
import { type Clock, systemClock } from '@keyturn/server/platform/clock.ts';
import type { TestDatabase } from './test-database.ts';

/** The name of the installation in `createPaymentWorld`; test servers read theirs from the database. */
export const fixtureInstallationId = '00000000-0000-4000-8000-000000000001';

/** The use cases of payments with the real sandbox, whose webhooks the test delivers. */
export interface PaymentWorld {
  intents: SandboxIntents;
  disputes: SandboxDisputes;
  dependencies: PaymentDependencies;
  /** The messages of the alerts so far. */
  alerts: string[];
  /** The sandbox's events about an intent, oldest first. */
  eventsOf(intentId: string): Promise<ProviderEvent[]>;
}

/**
 * Creates the use cases of payments for a test.
 * @param change replaces methods of the provider, the clock or other dependencies
 */
export function createPaymentWorld(
  { database, pool }: TestDatabase,
  change: {
    provider?: (real: PaymentProvider) => Partial<PaymentProvider>;
    clock?: Clock;
    dependencies?: Partial<PaymentDependencies>;
  } = {},
): PaymentWorld {
  const { clock = systemClock } = change;
  const intents = createSandboxIntents(pool, clock, () => {});
  const disputes = createSandboxDisputes(pool, clock, () => {});
  const balance = createSandboxBalance(pool, clock);
  const provider = createSandboxProvider(intents, balance, ['secret'], clock, disputes);
  const alerts: string[] = [];
  const alertOperator = (message: string) => void alerts.push(message);
  return {
    intents,
    disputes,
    alerts,
    dependencies: {
      database,
      installationId: fixtureInstallationId,
      continuity: neverPaused,
      accountKeys: uncheckedAccountKeys,
      provider: { ...provider, ...change.provider?.(provider) },
      providers: { active: [], former: [] },
      purposes: clientAccountOnly,
      attempts: createPaymentAttempts({ limits: wideLimits, clock, alertOperator }),
      clock,
      alertOperator,
      refundApprovalPence: 50_000,
      handlerRefundPence: 50_000,
      ...change.dependencies,
    },
    eventsOf: async (intentId) =>
      (
        await pool.query<{ id: string; type: string; body: { subject?: FraudSubject } }>(
          'select id, type, body from sandbox_events where intent_id = $1 order by created_at',
          [intentId],
        )
      ).rows.map((row) => ({
        ...row,
        intentId,
        reportsDecline: row.type === 'payment_intent.payment_failed',
        ...(row.body.subject ? { fraudSubject: row.body.subject } : {}),
      })),
  };
}

/** Settings in which either method can pay for every purpose, and the money goes to the client account. */
const allPurposes = Object.fromEntries(
  paymentPurposes.map((purpose) => [purpose, 'client']),
) as PaymentDependencies['purposes']['card'];
const clientAccountOnly: PaymentDependencies['purposes'] = { card: allPurposes, bank: allPurposes };

/** Limits of payments that are not for a search, the same for both methods. */
export const limitsOf = <Limits>(limits: Limits): Record<PaymentMethod, Limits> => ({
  card: limits,
  bank: limits,
});

type StartRequest = Parameters<typeof startSearchPayment>[1];

/** The confirmation of a client who pays for a search with their own card. */
export const ownCard = { own_card: true, order_now: true, order_wording: '2026-12-unknown' } as const;

/**
 * Starts the payment for a search, by default with the client's own card.
 * @returns the data of the payment that the card form receives
 */
export async function startTestPayment(
  dependencies: PaymentDependencies,
  request: Pick<StartRequest, 'clientId' | 'caseSearchId'> & Partial<StartRequest>,
) {
  const { payment_id, client_secret, amount } = await startSearchPayment(dependencies, {
    confirmed: ownCard,
    idempotencyKey: undefined,
    ...request,
  });
  return { paymentId: payment_id, intentId: intentOf(client_secret), amount };
}

/** High limits, because tests start more payments than clients do. */
const wideLimits = {
  starts: { client: 1_000_000, address: 1_000_000 },
  declines: { client: 1_000_000, address: 1_000_000 },
};

/**
 * Extracts the intent's id from a client secret.
 * @throws Error for a payment that this client may not pay
 */
export function intentOf(clientSecret: string | null): string {
  if (clientSecret === null) throw new Error('this client did not receive the client secret');
  return clientSecret.split('_secret')[0] ?? '';
}

/** Returns a test card of the sandbox, by default the one that pays immediately. */
export const sandboxCard = (number = '4242424242424242') => ({
  number,
  exp_month: 12,
  exp_year: 2090,
  cvc: '123',
});
