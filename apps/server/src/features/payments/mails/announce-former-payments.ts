import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findProvider } from '../provider/find-provider.ts';
import { countOtherProvidersPayments } from '../records/payments-store.ts';

/**
 * Tells a person, at the start, of open payments that were begun at another provider than the one that takes payments
 * now, and of payments of the sandbox that stand as paid where money is real.
 */
export async function announceFormerPayments(
  dependencies: Pick<PaymentDependencies, 'database' | 'provider' | 'formerProvider' | 'alertOperator'>,
): Promise<void> {
  const { database, provider, alertOperator } = dependencies;
  for (const { name, open, paid } of await countOtherProvidersPayments(database, provider.name)) {
    if (open > 0) {
      alertOperator(
        findProvider(dependencies, name)
          ? 'payments of the former provider are open: they cannot be paid, and end within 90 minutes'
          : 'payments of the former provider are open, and it cannot be asked: set its keys, or end them with "keyturn payments review ID give-up"',
        { provider: name, open },
      );
    }
    if (paid > 0 && name === 'sandbox') {
      alertOperator('payments of the sandbox stand as paid: no money was taken for them', {
        provider: name,
        paid,
      });
    }
  }
}
