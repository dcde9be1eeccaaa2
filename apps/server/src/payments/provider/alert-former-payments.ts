import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Connection } from '../../platform/database.ts';
import type { ProviderChoice } from '../ports/provider.ts';
import { countOtherProvidersPayments } from '../records/payments-store.ts';
import { allProviders, findProvider, isActive } from './find-provider.ts';

/**
 * Alerts the operator at start-up about open payments of a former provider, and about sandbox payments that count as
 * paid on an installation with real money.
 */
export async function alertFormerPayments(
  dependencies: ProviderChoice & { database: Connection; alertOperator: AlertOperator },
): Promise<void> {
  const { database, alertOperator } = dependencies;
  const active = allProviders(dependencies)
    .map(({ name }) => name)
    .filter((name) => isActive(dependencies, name));
  for (const { name, open, paid } of await countOtherProvidersPayments(database, active)) {
    if (open > 0) {
      alertOperator(
        findProvider(dependencies, name)
          ? 'payments of the former provider are open: they can no longer be paid, and expire within 90 minutes'
          : 'payments of the former provider are open and it cannot be called: set its keys, or cancel them with "keyturn payments review ID cancel"',
        { provider: name, open },
      );
    }
    if (paid > 0 && name === 'sandbox') {
      alertOperator('payments of the sandbox count as paid: no money was captured for them', {
        provider: name,
        paid,
      });
    }
  }
}
