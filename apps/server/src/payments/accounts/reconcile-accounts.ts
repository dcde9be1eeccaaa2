import { formatShortDay } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import type { Connection } from '../../platform/database.ts';
import type { Discrepancy } from '../records/discrepancies.ts';
import { findBalanceFetches } from './balance-store.ts';
import { findMovementMismatches, findOpenTransfers, findPayoutMismatches } from './ledger-store.ts';

/** The time, in milliseconds, within which a provider lists a movement after we have recorded it. */
const listingDelay = 60 * 60_000;
/** Milliseconds after which the provider's balance must have been fetched again. */
const maxFetchAge = 26 * 3_600_000;

/**
 * Compares our record with the movements fetched from each provider, and each payout with its movements.
 * Payments that changed since the last fetch are left out.
 */
export async function reconcileAccounts(connection: Connection, now: Date): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (const [provider, fetchedAt] of await findBalanceFetches(connection)) {
    if (now.getTime() - fetchedAt.getTime() > maxFetchAge) {
      const text = `the balance was last fetched at ${fetchedAt.toISOString()}`;
      found.push({ kind: 'balance_not_fetched', subject: provider, found: text });
    }
    const unchangedSince = new Date(fetchedAt.getTime() - listingDelay);
    for (const totals of await findMovementMismatches(connection, { provider, unchangedSince })) {
      const { paymentId, recorded, moved, charges } = totals;
      found.push({
        kind: 'movement_mismatch',
        subject: paymentId,
        found:
          `${formatMoney(recorded)} is recorded, but its movements at the provider add up to ${formatMoney(moved)}` +
          ` with ${charges} ${charges === 1 ? 'charge' : 'charges'}`,
      });
    }
  }
  for (const { payoutId, amount, contained } of await findPayoutMismatches(connection)) {
    found.push({
      kind: 'payout_mismatch',
      subject: payoutId,
      found: `the payout is ${formatMoney(amount)}, but its movements add up to ${formatMoney(contained)}`,
    });
  }
  for (const { payoutId, arrivesOn, toTransfer } of await findOpenTransfers(connection, londonDay(now))) {
    found.push({
      kind: 'transfer_due',
      subject: payoutId,
      found: `${formatMoney(toTransfer)} of clients’ money is missing from the payout of ${formatShortDay(arrivesOn)}, and no transfer to the client account is recorded`,
    });
  }
  return found;
}
