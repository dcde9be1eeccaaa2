import { formatMoney } from '@keyturn/format/money';
import type { Connection } from '../../../platform/database.ts';
import { isId } from '../../../platform/ids.ts';
import { IntentNotFound, type PaymentProvider } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import {
  findMismatch,
  isNewDispute,
  isWithoutMoney,
  type ProviderIntentState,
} from '../records/payment-states.ts';
import type { Discrepancy } from './discrepancies.ts';
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
  since: Date,
): Promise<ProviderComparison> {
  const all: ProviderComparison = { payments: 0, intents: 0, discrepancies: [] };
  for (const provider of providers) {
    const { payments, intents, discrepancies } = await compareWithProvider(connection, provider, since);
    all.payments += payments;
    all.intents += intents;
    all.discrepancies.push(...discrepancies);
  }
  return all;
}

async function compareWithProvider(
  connection: Connection,
  provider: PaymentProvider,
  since: Date,
): Promise<ProviderComparison> {
  // Intents are listed first: a payment is always stored before its intent is created.
  const intents = await provider.listIntents(since);
  const payments = await findPaymentsOfProvider(connection, {
    provider: provider.name,
    since,
    paymentIds: intents.flatMap(({ paymentId }) =>
      paymentId !== null && isId(paymentId) ? [paymentId] : [],
    ),
    intentIds: intents.map(({ intentId }) => intentId),
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
      discrepancies.push(...comparePayment(payment, intent));
    } else discrepancies.push(...checkSecondIntent(payment, intent));
  }
  for (const payment of payments) {
    if (compared.has(payment.id)) continue;
    discrepancies.push(...(await retrieveAndCompare(provider, payment)));
  }
  return { payments: payments.length, intents: intents.length, discrepancies };
}

/** Compares a payment whose intent was not listed: it is older, no longer names a payment, or does not exist. */
async function retrieveAndCompare(provider: PaymentProvider, payment: PaymentRow): Promise<Discrepancy[]> {
  const { id: subject, providerIntentId } = payment;
  if (providerIntentId === null) {
    const found = 'the payment is paid, but has no intent';
    return payment.paidAt ? [{ kind: 'payment_without_intent', subject, found }] : [];
  }
  try {
    return comparePayment(payment, await provider.retrieveIntent(providerIntentId));
  } catch (error) {
    if (!(error instanceof IntentNotFound)) throw error;
    const found = `the payment is ${payment.status}, but ${provider.name} has no intent ${providerIntentId}`;
    return [{ kind: 'payment_without_intent', subject, found }];
  }
}

function comparePayment(payment: PaymentRow, intent: ProviderIntentState): Discrepancy[] {
  const { id: subject, status } = payment;
  const discrepancy = (kind: Discrepancy['kind'], found: string): Discrepancy => ({ kind, subject, found });
  const intentName = `intent ${intent.intentId}`;
  // Already reported as under review.
  if (payment.reviewReason !== null) return [];
  const mismatch = findMismatch(payment, intent);
  if (mismatch) return [discrepancy('terms_mismatch', `${mismatch} (${intentName})`)];
  if (payment.paidAt === null) {
    if (intent.status === 'succeeded' && !isWithoutMoney(intent)) {
      return [
        discrepancy(
          'captured_not_recorded',
          `the payment is ${status}, but ${formatMoney(intent.amount)} was captured with ${intentName}`,
        ),
      ];
    }
    if (status === 'cancelled' && isOpen(intent)) {
      return [
        discrepancy('open_at_provider', `the payment is cancelled, but ${intentName} is ${intent.status}`),
      ];
    }
    if (status !== 'cancelled' && intent.status === 'cancelled') {
      return [
        discrepancy('cancelled_at_provider', `the payment is ${status}, but ${intentName} is cancelled`),
      ];
    }
    return [];
  }
  if (intent.status !== 'succeeded') {
    return [
      discrepancy('recorded_not_captured', `the payment is ${status}, but ${intentName} is ${intent.status}`),
    ];
  }
  const found: Discrepancy[] = [];
  if (intent.refundedAmount !== payment.refundedAmount) {
    const [atProvider, recorded] = [formatMoney(intent.refundedAmount), formatMoney(payment.refundedAmount)];
    found.push(
      discrepancy('refund_mismatch', `${atProvider} was refunded at the provider, ${recorded} is recorded`),
    );
  }
  if (intent.dispute && isNewDispute(payment, intent)) {
    const recorded = payment.disputeStatus ?? 'none';
    found.push(
      discrepancy(
        'dispute_mismatch',
        `the dispute is ${intent.dispute.status} at the provider, ${recorded} is recorded`,
      ),
    );
  }
  return found;
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
