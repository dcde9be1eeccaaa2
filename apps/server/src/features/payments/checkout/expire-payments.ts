import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports.ts';
import { findPaymentsToExpire, scheduleNextCheck } from '../provider/checks-store.ts';
import { ensureIntentId } from '../provider/ensure-intent.ts';
import { expiresAfter, nextCheckTime } from '../provider/next-check.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findPayment } from '../records/payments-store.ts';

/** Payments given up in one go. */
const atMost = 500;

/**
 * Gives up every payment that nobody went on with for 90 minutes: a search becomes payable again, and other money
 * counts no more for its day. The provider is asked first, and ends the intent before it is given up here, so that a
 * payer who comes at the same moment has either paid or can no longer. What is on its way at the bank stays. A
 * payment that cannot be given up is told of and tried again later; it holds up no other one.
 */
export async function expirePayments(dependencies: PaymentDependencies): Promise<void> {
  const { database, provider, clock, alertOperator } = dependencies;
  const due = await findPaymentsToExpire(database, {
    provider: provider.name,
    now: clock(),
    quietBefore: quietBefore(dependencies),
    limit: atMost,
  });
  for (const payment of due) {
    let isAway = false;
    try {
      await expire(dependencies, payment);
    } catch (error) {
      isAway =
        error instanceof ProviderUnavailable ||
        (error instanceof DomainError && error.code === 'provider_unavailable');
      if (!isAway) {
        alertOperator('a payment that is over could not be given up', {
          payment: payment.id,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
    const { updatedAt } = (await findPayment(database, payment.id)) ?? payment;
    await scheduleNextCheck(database, { id: payment.id, at: nextCheckTime(clock(), updatedAt) });
    // The others would not be answered either: they stay due, and are the first of the next round.
    if (isAway) return;
  }
}

async function expire(dependencies: PaymentDependencies, payment: PaymentRow): Promise<void> {
  const { database, provider } = dependencies;
  const intentId = await ensureIntentId(dependencies, payment);
  // Nobody has the secret of an intent that is only just known: there is nothing to learn of it.
  if (payment.providerIntentId !== null) {
    const { decision } = await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    if (decision === 'mismatched') return;
    const now = (await findPayment(database, payment.id)) ?? payment;
    // Settled, or something happened of which we had not heard: that has 90 minutes of its own.
    if (!isWaiting(now) || now.updatedAt > quietBefore(dependencies)) return;
  }
  await provider.cancelIntent(intentId);
  // The payer may have been quicker: then the payment is learned to be paid.
  await syncPaymentFromProvider(dependencies, intentId, { name: 'expired' });
}

const isWaiting = ({ status }: PaymentRow) =>
  status === 'requires_payment_method' || status === 'requires_action';

const quietBefore = ({ clock }: PaymentDependencies) => new Date(clock().getTime() - expiresAfter);
