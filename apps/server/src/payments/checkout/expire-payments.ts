import { DomainError } from '../../platform/domain-error.ts';
import { cancelWithoutIntent, isWithoutIntent } from '../intents/cancel-at-provider.ts';
import { createIntent } from '../intents/create-intent.ts';
import { expiresAfter, nextCheckTime } from '../intents/next-check.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { withProviderOf } from '../provider/find-provider.ts';
import { findPaymentsToExpire, scheduleNextCheck } from '../records/checks-store.ts';
import { findPayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/** The maximum number of payments that one round expires. */
const batchSize = 500;

/**
 * Cancels every payment without activity for 90 minutes: its search becomes payable again, and other payments no
 * longer count towards the daily limit. The intent is cancelled at the provider first, so that a payer at the same
 * moment has either paid or can no longer pay. Payments that the bank is processing are not cancelled. A payment that
 * cannot be cancelled raises an alert and is retried later; it does not delay the others. A payment with an intent
 * that the provider does not have is cancelled only in Keyturn.
 * @param signal ends the round before the next payment
 */
export async function expirePayments(dependencies: PaymentDependencies, signal?: AbortSignal): Promise<void> {
  const { database, provider, clock, alertOperator } = dependencies;
  const due = await findPaymentsToExpire(database, {
    provider: provider.name,
    now: clock(),
    quietBefore: quietBefore(dependencies),
    limit: batchSize,
  });
  for (const payment of due) {
    // The remaining payments stay due, and the next round starts with them.
    if (signal?.aborted) return;
    let isUnavailable = false;
    try {
      const own = withProviderOf(dependencies, payment);
      await expire(own, payment).catch(async (error: unknown) => {
        if (!isWithoutIntent(error, payment)) throw error;
        await cancelWithoutIntent(own, payment, { cause: 'expired', reason: error });
      });
    } catch (error) {
      isUnavailable =
        error instanceof ProviderUnavailable ||
        (error instanceof DomainError && error.code === 'provider_unavailable');
      if (!isUnavailable) {
        alertOperator('an expired payment could not be cancelled', {
          payment: payment.id,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
    const { updatedAt } = (await findPayment(database, payment.id)) ?? payment;
    await scheduleNextCheck(database, { id: payment.id, at: nextCheckTime(clock(), updatedAt) });
    if (isUnavailable) return;
  }
}

async function expire(dependencies: PaymentDependencies, payment: PaymentRow): Promise<void> {
  const { database, provider } = dependencies;
  const { intentId } = await createIntent(dependencies, payment);
  // No browser has the secret of an intent that was only just created, so it cannot have been paid.
  if (payment.providerIntentId !== null) {
    const { decision } = await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    if (decision === 'mismatched') return;
    const current = (await findPayment(database, payment.id)) ?? payment;
    // The payment is settled, or there was unknown activity, which resets the 90 minutes.
    if (!isWaiting(current) || current.updatedAt > quietBefore(dependencies)) return;
  }
  await provider.cancelIntent(intentId);
  // The payer may have paid meanwhile; syncing records that too.
  await syncPaymentFromProvider(dependencies, intentId, { name: 'expired' });
}

const isWaiting = ({ status }: PaymentRow) =>
  status === 'requires_payment_method' || status === 'requires_action';

const quietBefore = ({ clock }: PaymentDependencies) => new Date(clock().getTime() - expiresAfter);
