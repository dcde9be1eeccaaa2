import { openPaymentStatuses } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { sinceOf } from '../continuity/compare-accounts.ts';
import { readContinuity, resumePayments } from '../continuity/continuity-store.ts';
import { listOwnIntents, type OwnIntent } from '../continuity/own-intents.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import { applyProviderIntent, syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports/intents.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { allProviders } from '../provider/find-provider.ts';
import { findPayment, findPaymentForSearch } from '../records/payments-store.ts';
import { refundedAmountOf } from '../records/refund-states.ts';
import type { PaymentRow } from '../records/rows.ts';
import { chooseReceiptNumbers, isReceiptNumber } from './receipt-numbers-to-restore.ts';
import { findPaymentsPaidSince, findReceiptNumbers, findStartOfOldestOpenPayment } from './recovery-store.ts';
import { NotRestorable, restorePayer, restorePayment } from './restore-payment.ts';

export interface RecoveryOptions {
  /**
   * The time from which the provider is read; null for an hour before the restored state. Payments that are open in
   * that state are read even if they were started earlier.
   */
  since: Date | null;
  dryRun: boolean;
  /** Intents that cannot be recovered and that the operator has dealt with. */
  leave: readonly string[];
}

export interface RecoveryReport {
  since: Date;
  /** One line for each payment that was, or would be, recovered or changed. */
  changes: string[];
  /** One line for each intent that cannot be recovered, with what to do. */
  unresolved: string[];
  /** Whether payments are accepted after the recovery. */
  isOpen: boolean;
}

/** The time, in milliseconds, before the restored state at which a recovery starts to read. */
const margin = 3_600_000;
/** Milliseconds in which a payment can still be refunded or disputed; older ones are found by the periodic checks. */
const maxLate = 180 * 24 * 3_600_000;

/**
 * Reads the provider since the restored state of the database and restores what is missing: payments, refunds,
 * disputes, receipts with their numbers, the states of searches, and the history. Then accepts payments again, unless
 * a payment cannot be restored. Idempotent.
 * @throws ProviderUnavailable
 */
export async function recoverPayments(
  dependencies: PaymentDependencies,
  request: RecoveryOptions,
): Promise<RecoveryReport> {
  const { database, clock } = dependencies;
  const startedAt = clock();
  const state = await readContinuity(database);
  const restoredSince = request.since ?? new Date(sinceOf(state, startedAt).getTime() - margin);
  const oldestOpen = await findStartOfOldestOpenPayment(database);
  const since = oldestOpen
    ? new Date(Math.min(restoredSince.getTime(), oldestOpen.getTime() - margin))
    : restoredSince;
  const report: RecoveryReport = { since, changes: [], unresolved: [], isOpen: state.pausedAt === null };
  for (const current of allProviders(dependencies)) {
    await recoverFromProvider({ ...dependencies, provider: current }, { ...request, since }, report);
  }
  if (request.dryRun || report.unresolved.length > 0) return report;
  await resumePayments(database, { checkedUntil: startedAt, left: request.leave });
  return { ...report, isOpen: true };
}

/** An intent of ours with its current state. */
interface Found {
  label: OwnIntent;
  intent: ProviderIntent;
  askedAt: Date;
}

async function recoverFromProvider(
  dependencies: PaymentDependencies,
  { since, dryRun, leave }: RecoveryOptions & { since: Date },
  report: RecoveryReport,
): Promise<void> {
  const { database, provider, installationId } = dependencies;
  const left = new Set([...leave, ...(await readContinuity(database)).leftIntents]);
  const labels = (await listOwnIntents(database, provider, { since, installationId })).filter(
    ({ intentId }) => !left.has(intentId),
  );
  const found = await retrieveAll(dependencies, labels);
  const numbers = await chooseNumbers(dependencies, found);
  for (const one of found) {
    const receiptNumber = numbers.get(one.label.intentId) ?? null;
    try {
      const change = await recoverIntent(dependencies, one, { receiptNumber, dryRun });
      if (change) report.changes.push(change);
    } catch (error) {
      if (!(error instanceof NotRestorable)) throw error;
      report.unresolved.push(`${describe(one)} cannot be recovered: ${error.message}.`);
    }
  }
  if (!dryRun) await syncEarlierPayments(dependencies, { since, done: found }, report);
}

/**
 * Retrieves every intent that is not cancelled: paid ones in the order of payment, then unpaid ones, so that one that
 * is paid meanwhile gets the last receipt number.
 */
async function retrieveAll(
  { provider, clock }: Pick<PaymentDependencies, 'provider' | 'clock'>,
  labels: OwnIntent[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const label of labels) {
    if (label.status === 'cancelled' && !label.isRecorded) continue;
    const askedAt = clock();
    found.push({ label, askedAt, intent: await provider.retrieveIntent(label.intentId) });
  }
  const orderOf = ({ intent, label }: Found) => (intent.capturedAt ?? label.createdAt).getTime();
  return found.sort(
    (one, other) =>
      Number(isUnpaid(one.intent)) - Number(isUnpaid(other.intent)) || orderOf(one) - orderOf(other),
  );
}

async function chooseNumbers(
  { database }: PaymentDependencies,
  found: readonly Found[],
): Promise<Map<string, string>> {
  const toNumber = [];
  for (const { label, intent } of found) {
    if (intent.status !== 'succeeded') continue;
    if ((await findPayment(database, label.paymentId))?.paidAt) continue;
    const { intentId, receiptNumber } = label;
    toNumber.push({
      intentId,
      year: Number(londonDay(intent.capturedAt ?? label.createdAt).slice(0, 4)),
      receiptNumber: isReceiptNumber(receiptNumber) ? receiptNumber : null,
    });
  }
  return chooseReceiptNumbers(toNumber, await findReceiptNumbers(database));
}

/** @returns what was, or would be, changed; null if nothing */
async function recoverIntent(
  dependencies: PaymentDependencies,
  found: Found,
  { receiptNumber, dryRun }: { receiptNumber: string | null; dryRun: boolean },
): Promise<string | null> {
  const { database } = dependencies;
  const { label } = found;
  const before = await findPayment(database, label.paymentId);
  // The client's confirmation is lost, so it must not be paid.
  const isUnconfirmed = !before || (isOpen(before) && before.confirmedBy === null);
  const { intent, askedAt } =
    isUnconfirmed && isUnpaid(found.intent) && !dryRun ? await cancelIntent(dependencies, found) : found;
  if (!before && (isUnpaid(intent) || isUnpaid(found.intent)) && (dryRun || intent.status === 'cancelled')) {
    return `${describe(found)}: ${dryRun ? 'would be cancelled' : 'cancelled'} at the provider, unpaid`;
  }
  if (!before && intent.status === 'cancelled') return null;
  if (dryRun) return describePlan(found, before);
  let searchPrice: number | null = null;
  if (!before) {
    await cancelOpenPayment(dependencies, label);
    searchPrice = await restorePayment(dependencies, { ...label, clientId: intent.clientId ?? null });
  } else if (isUnconfirmed && intent.status !== 'cancelled' && !isUnpaid(intent)) {
    await restorePayer(dependencies, before, intent.clientId ?? null);
  }
  const clock = () => intent.capturedAt ?? dependencies.clock();
  await applyProviderIntent(
    before?.paidAt ? dependencies : { ...dependencies, clock },
    { intent, askedAt, receiptNumber },
    { name: 'recovered' },
  );
  const after = await findPayment(database, label.paymentId);
  if (!after || isSame(before, after)) return null;
  const change = before ? `was ${before.status}, is now ${after.status}` : `recovered as ${after.status}`;
  const receipt = after.receiptNumber ? `, receipt ${after.receiptNumber}` : '';
  return `${describe(found)}: ${change}${receipt}${describePriceChange(after, searchPrice)}`;
}

/** The case feed may have changed the price while the payment was missing. */
function describePriceChange({ amount, status }: PaymentRow, searchPrice: number | null): string {
  if (searchPrice === null || searchPrice === amount || status !== 'succeeded') return '';
  return `. Its search now costs ${formatMoney(searchPrice)}: correct the price in the feed, or agree the difference with the client`;
}

const isUnpaid = ({ status }: ProviderIntent) =>
  status === 'requires_payment_method' || status === 'requires_action';

/** Cancels an intent at the provider. @returns its current state, because the payer may have been faster */
async function cancelIntent(
  { provider, clock }: Pick<PaymentDependencies, 'provider' | 'clock'>,
  found: Found,
): Promise<Found> {
  const askedAt = clock();
  return { ...found, askedAt, intent: await provider.cancelIntent(found.intent.intentId) };
}

/** Cancels a payment that was open in the backup, because another payment for its search has been made since. */
async function cancelOpenPayment(dependencies: PaymentDependencies, { searchId }: OwnIntent): Promise<void> {
  const existing = searchId ? await findPaymentForSearch(dependencies.database, searchId) : undefined;
  if (existing && isOpen(existing)) await cancelAtProvider(dependencies, existing, 'recovered');
}

/** Syncs payments from before the restored state, which may have been refunded, disputed or cancelled since. */
async function syncEarlierPayments(
  dependencies: PaymentDependencies,
  { since, done }: { since: Date; done: Found[] },
  report: RecoveryReport,
): Promise<void> {
  const { database, provider } = dependencies;
  const earlier = await findPaymentsPaidSince(database, {
    provider: provider.name,
    since: new Date(since.getTime() - maxLate),
  });
  const isDone = new Set(done.map(({ label }) => label.intentId));
  for (const before of earlier) {
    const { id, providerIntentId } = before;
    if (providerIntentId === null || isDone.has(providerIntentId) || isElsewhere(before, provider)) continue;
    await syncPaymentFromProvider(dependencies, providerIntentId, { name: 'recovered' });
    const after = await findPayment(database, id);
    if (after && !isSame(before, after)) {
      report.changes.push(
        `${provider.name} ${providerIntentId}, payment ${id}: was ${before.status}, is now ${after.status}`,
      );
    }
  }
}

const isElsewhere = ({ providerAccountId }: PaymentRow, { knownAccountId }: PaymentProvider) =>
  providerAccountId !== null && knownAccountId() !== null && providerAccountId !== knownAccountId();

const isOpen = ({ status }: PaymentRow) => openPaymentStatuses.some((open) => open === status);

const isSame = (before: PaymentRow | undefined, after: PaymentRow) =>
  before?.status === after.status &&
  before.refundedAmount === after.refundedAmount &&
  before.failedRefundAmount === after.failedRefundAmount &&
  before.disputeStatus === after.disputeStatus;

const describe = ({ label: { intentId, paymentId, amount } }: Found) =>
  `${intentId}, payment ${paymentId}, ${formatMoney(amount)}`;

function describePlan(found: Found, before: PaymentRow | undefined): string | null {
  const { status } = found.intent;
  if (!before) return `${describe(found)}: would be recovered as ${status}`;
  const isPaid = before.paidAt !== null;
  const isAsRecorded = isPaid
    ? status === 'succeeded' && before.refundedAmount === refundedAmountOf(found.intent.refunds)
    : before.status === status;
  return isAsRecorded ? null : `${describe(found)}: is ${before.status}, would be ${status}`;
}
