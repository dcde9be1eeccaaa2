import type { Payment } from '@keyturn/contract';
import { mapProviderErrors } from '../intents/create-intent.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { withProviderOf } from '../provider/find-provider.ts';
import { findOwnPayment, readPayment } from '../records/read-payment.ts';

/** Milliseconds between two calls to the provider about the same payment. */
const minInterval = 1_000;

/**
 * Creates the use case that syncs an open payment with the provider now. There is at most one call a second for each
 * payment on this server: concurrent requests share it, and earlier ones get the stored state. That keeps any number
 * of open tabs within the provider's rate limit.
 */
export function createPaymentRefresh(dependencies: PaymentDependencies) {
  const { database, clock } = dependencies;
  const recentCalls = new Map<string, { startedAt: number; done: Promise<unknown> }>();

  const sync = (paymentId: string, call: () => Promise<unknown>): Promise<unknown> => {
    const now = clock().getTime();
    for (const [id, { startedAt }] of recentCalls) {
      if (now - startedAt >= minInterval) recentCalls.delete(id);
    }
    const recent = recentCalls.get(paymentId);
    if (recent) return recent.done;
    const done = call();
    recentCalls.set(paymentId, { startedAt: now, done });
    return done;
  };

  /**
   * @returns the synced payment; settled payments and those under review are returned without a call
   * @throws DomainError `not_found`, `payment_being_checked`
   */
  return async (request: { clientId: string; paymentId: string }): Promise<Payment> => {
    const payment = await findOwnPayment(database, request.clientId, request.paymentId);
    const { providerIntentId: intentId } = payment;
    const isOpen = payment.paidAt === null && payment.status !== 'cancelled' && payment.reviewReason === null;
    if (isOpen && intentId !== null) {
      const atProvider = withProviderOf(dependencies, payment);
      await sync(payment.id, () =>
        mapProviderErrors(syncPaymentFromProvider(atProvider, intentId, { name: 'payment_refreshed' })),
      );
    }
    return readPayment(request.paymentId).forClient(dependencies.database, request.clientId);
  };
}
