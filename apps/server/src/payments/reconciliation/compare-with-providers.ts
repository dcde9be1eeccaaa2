import { openPaymentStatuses } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import type { Connection } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { withoutErased } from '../continuity/without-erased.ts';
import { compareDisputes } from '../disputes/compare-disputes.ts';
import { isAtOtherAccount } from '../intents/cancel-at-provider.ts';
import type { ProviderIntentState } from '../ports/intents.ts';
import { canBeOurs } from '../ports/intents.ts';
import { IntentNotFound, type PaymentProvider } from '../ports/provider.ts';
import { type Discrepancy, describePayment } from '../records/discrepancies.ts';
import { findDisputesOfPayments } from '../records/disputes-store.ts';
import { findMismatch, isWithoutMoney } from '../records/payment-states.ts';
import { findProviderRefunds } from '../records/refunds-store.ts';
import type { DisputeRow, PaymentRow, RefundRow } from '../records/rows.ts';
import { compareRefunds } from '../refunds/compare-refunds.ts';
import { findPaymentsOfProvider } from './reconciliation-store.ts';

export interface ProviderComparison {
  payments: number;
  intents: number;
  discrepancies: Discrepancy[];
}

/**
 * Compares the payments created since a date with the intents that the providers created since then.
 * @throws ProviderUnavailable
 */
export async function compareWithProviders(
  connection: Connection,
  providers: PaymentProvider[],
  query: { since: Date; installationId: string },
): Promise<ProviderComparison> {
  const all: ProviderComparison = { payments: 0, intents: 0, discrepancies: [] };
  for (const provider of providers) {
    const { payments, intents, discrepancies } = await compareWithProvider(connection, provider, query);
    all.payments += payments;
    all.intents += intents;
    all.discrepancies.push(...discrepancies);
  }
  return all;
}

async function compareWithProvider(
  connection: Connection,
  provider: PaymentProvider,
  { since, installationId }: { since: Date; installationId: string },
): Promise<ProviderComparison> {
  // Intents are listed first, because a payment is always stored before its intent is created.
  const listed = (await provider.listIntents(since)).filter((intent) => canBeOurs(intent, installationId));
  const intents = await withoutErased(connection, listed);
  await provider.readAccountId().catch(() => null);
  const payments = await findPaymentsOfProvider(connection, {
    provider: provider.name,
    since,
    paymentIds: intents.flatMap(({ paymentId }) =>
      paymentId !== null && isId(paymentId) ? [paymentId] : [],
    ),
    intentIds: intents.map(({ intentId }) => intentId),
  });
  const refunds = await findProviderRefunds(
    connection,
    payments.filter(({ paidAt }) => paidAt !== null).map(({ id }) => id),
  );
  const disputes = await findDisputesOfPayments(
    connection,
    payments.map(({ id }) => id),
  );
  const recordOf = ({ id }: PaymentRow): RecordedMoves => ({
    refunds: refunds.filter(({ paymentId }) => paymentId === id),
    disputes: disputes.filter(({ paymentId }) => paymentId === id),
  });
  const discrepancies: Discrepancy[] = [];
  const byIntent = new Map(payments.map((payment) => [payment.providerIntentId, payment]));
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const compared = new Set<string>();
  for (const intent of intents) {
    const payment = byIntent.get(intent.intentId) ?? byId.get(intent.paymentId ?? '');
    if (!payment) discrepancies.push(...checkIntentWithoutPayment(intent));
    else if (payment.providerIntentId === intent.intentId) {
      compared.add(payment.id);
      discrepancies.push(...comparePayment(payment, recordOf(payment), intent));
    } else discrepancies.push(...checkSecondIntent(payment, intent));
  }
  for (const payment of payments) {
    if (compared.has(payment.id)) continue;
    const recorded = { ...recordOf(payment), installationId };
    discrepancies.push(...(await retrieveAndCompare(provider, payment, recorded)));
  }
  return { payments: payments.length, intents: intents.length, discrepancies };
}

/** The records about a payment after it was made. */
interface RecordedMoves {
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
}

/** Compares a payment whose intent was not listed: it is older, no longer names a payment, or does not exist. */
async function retrieveAndCompare(
  provider: PaymentProvider,
  payment: PaymentRow,
  { installationId, ...recorded }: RecordedMoves & { installationId: string },
): Promise<Discrepancy[]> {
  const { id: subject, providerIntentId } = payment;
  if (isAtOtherAccount(payment, provider)) return describeAtOtherAccount(payment, provider);
  if (providerIntentId === null) {
    const found = `${describePayment(payment.method)} is paid, but has no intent`;
    return payment.paidAt ? [{ kind: 'payment_without_intent', subject, found }] : [];
  }
  try {
    const intent = await provider.retrieveIntent(providerIntentId);
    // In a copy of the database, unpaid payments of the original are cancelled.
    if (payment.paidAt === null && !canBeOurs(intent, installationId)) return [];
    return comparePayment(payment, recorded, intent);
  } catch (error) {
    if (!(error instanceof IntentNotFound)) throw error;
    const found = `${describePayment(payment.method)} is ${payment.status}, but ${provider.name} has no intent ${providerIntentId}`;
    return [{ kind: 'payment_without_intent', subject, found }];
  }
}

/**
 * A settled payment of another account is correct; an open one, or one under review, can only be closed at that
 * account.
 */
function describeAtOtherAccount(
  { id: subject, status, method, reviewReason, providerAccountId }: PaymentRow,
  { name, knownAccountId }: PaymentProvider,
): Discrepancy[] {
  const isOpen = openPaymentStatuses.some((open) => open === status);
  if (!isOpen && reviewReason === null) return [];
  const found = `${describePayment(method)} is ${status} at account ${providerAccountId} of ${name}, but the keys are those of account ${knownAccountId()}`;
  return [{ kind: 'other_account', subject, found }];
}

function comparePayment(
  payment: PaymentRow,
  recorded: RecordedMoves,
  intent: ProviderIntentState,
): Discrepancy[] {
  const { id: subject, status } = payment;
  const discrepancy = (kind: Discrepancy['kind'], found: string): Discrepancy => ({ kind, subject, found });
  const intentName = `intent ${intent.intentId}`;
  const name = describePayment(payment.method);
  // Already reported as under review.
  if (payment.reviewReason !== null) return [];
  const mismatch = findMismatch(payment, intent);
  if (mismatch) return [discrepancy('terms_mismatch', `${mismatch} (${intentName})`)];
  if (payment.paidAt === null) {
    if (intent.status === 'succeeded' && !isWithoutMoney(intent)) {
      return [
        discrepancy(
          'captured_not_recorded',
          `${name} is ${status}, but ${formatMoney(intent.amount)} was captured with ${intentName}`,
        ),
      ];
    }
    if (status === 'cancelled' && isOpen(intent)) {
      return [discrepancy('open_at_provider', `${name} is cancelled, but ${intentName} is ${intent.status}`)];
    }
    if (status !== 'cancelled' && intent.status === 'cancelled') {
      return [discrepancy('cancelled_at_provider', `${name} is ${status}, but ${intentName} is cancelled`)];
    }
    return [];
  }
  if (intent.status !== 'succeeded') {
    return [
      discrepancy('recorded_not_captured', `${name} is ${status}, but ${intentName} is ${intent.status}`),
    ];
  }
  return [
    ...compareRefunds(subject, recorded.refunds, intent.refunds),
    ...compareDisputes(recorded.disputes, intent.disputes).map((found) =>
      discrepancy('dispute_mismatch', found),
    ),
  ];
}

function checkIntentWithoutPayment(intent: ProviderIntentState): Discrepancy[] {
  if (isWithoutMoney(intent)) return [];
  const found = `the intent is ${intent.status} with ${formatMoney(intent.amount)} and names payment ${intent.paymentId}`;
  return [{ kind: 'intent_without_payment', subject: intent.intentId, found }];
}

function checkSecondIntent(payment: PaymentRow, intent: ProviderIntentState): Discrepancy[] {
  // The intent was just created and is about to be stored.
  if (payment.providerIntentId === null && intent.status === 'requires_payment_method') return [];
  if (isWithoutMoney(intent)) return [];
  const storedId = payment.providerIntentId ?? 'not stored';
  const found = `the intent is ${intent.status} with ${formatMoney(intent.amount)} for payment ${payment.id}, whose intent is ${storedId}`;
  return [{ kind: 'second_intent', subject: intent.intentId, found }];
}

const isOpen = ({ status }: ProviderIntentState) => status !== 'cancelled' && status !== 'succeeded';
