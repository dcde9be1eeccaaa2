import type { PaymentNotice } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';
import { findBalanceFetches } from '../accounts/balance-store.ts';
import { readContinuity } from '../continuity/continuity-store.ts';
import type { PaymentDeskDependencies } from './desk-dependencies.ts';

/** Milliseconds. The balance is fetched every hour. */
const maxFetchAge = 26 * 3_600_000;

/** Lists what stops or endangers payments, with what to do. */
export async function listPaymentNotices({
  database,
  clock,
  accountKeys,
  isKeyRejected,
}: Pick<PaymentDeskDependencies, 'database' | 'clock' | 'accountKeys' | 'isKeyRejected'>): Promise<
  PaymentNotice[]
> {
  const notices: PaymentNotice[] = [];
  const { pausedAt, pausedReason } = await readContinuity(database);
  if (pausedReason !== null) {
    notices.push({
      kind: 'payments_paused',
      since: pausedAt?.toISOString() ?? null,
      found: `Payments are paused: ${pausedReason}. Clients can’t pay online, and refunds and reviews wait.`,
      to_do:
        'Ask the operator of Keyturn to run “keyturn payments recover --dry-run”, read what would be recovered, and then run it without --dry-run.',
    });
  }
  if (await areKeysSwapped(accountKeys)) {
    notices.push({
      kind: 'swapped_keys',
      since: null,
      found:
        'A key in the settings belongs to the firm’s other account at the payment provider, so that money would go to the wrong bank account. Clients can’t pay online.',
      to_do:
        'Ask the operator of Keyturn to correct the keys and restart the servers. If the keys are right, “keyturn payments accounts” shows and corrects the record.',
    });
  }
  if (isKeyRejected()) {
    notices.push({
      kind: 'key_rejected',
      since: null,
      found: 'The payment provider rejects our key: no payment can be made, checked or refunded.',
      to_do: 'Ask the operator of Keyturn to correct the provider’s key in the settings.',
    });
  }
  for (const [provider, fetchedAt] of await findBalanceFetches(database)) {
    if (clock().getTime() - fetchedAt.getTime() <= maxFetchAge) continue;
    notices.push({
      kind: 'balance_not_fetched',
      since: fetchedAt.toISOString(),
      found: `The balance at ${provider} has not been fetched for more than a day: the ledger lacks what has moved since.`,
      to_do: 'Fetch it on the Ledger page. If that fails, ask the operator of Keyturn to read the log.',
    });
  }
  return notices;
}

/** Checks only recorded accounts, without calling the provider. */
async function areKeysSwapped(accountKeys: PaymentDeskDependencies['accountKeys']): Promise<boolean> {
  try {
    await accountKeys.check();
    return false;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'payments_paused') return true;
    throw error;
  }
}
