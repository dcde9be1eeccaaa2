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
import { findPaymentsOfProvider } from './check-store.ts';
import type { Difference } from './differences.ts';

export interface ProviderComparison {
  payments: number;
  intents: number;
  differences: Difference[];
}

/**
 * Holds the payments that began since then against the intents that the providers have made since then.
 * @throws ProviderUnavailable
 */
export async function compareWithProvider(
  connection: Connection,
  providers: PaymentProvider[],
  since: Date,
): Promise<ProviderComparison> {
  const all: ProviderComparison = { payments: 0, intents: 0, differences: [] };
  for (const provider of providers) {
    const { payments, intents, differences } = await compareOne(connection, provider, since);
    all.payments += payments;
    all.intents += intents;
    all.differences.push(...differences);
  }
  return all;
}

async function compareOne(
  connection: Connection,
  provider: PaymentProvider,
  since: Date,
): Promise<ProviderComparison> {
  // The intents first: a payment is there before its intent, so that none of them can be without one for the moment.
  const intents = await provider.listIntents(since);
  const payments = await findPaymentsOfProvider(connection, {
    provider: provider.name,
    since,
    paymentIds: intents.flatMap(({ paymentId }) =>
      paymentId !== null && isId(paymentId) ? [paymentId] : [],
    ),
    intentIds: intents.map(({ intentId }) => intentId),
  });
  const differences: Difference[] = [];
  const byIntent = new Map(payments.map((payment) => [payment.providerIntentId, payment]));
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const compared = new Set<string>();
  for (const facts of intents) {
    const payment = byIntent.get(facts.intentId) ?? byId.get(facts.paymentId ?? '');
    if (!payment) differences.push(...withoutPayment(facts));
    else if (payment.providerIntentId === facts.intentId) {
      compared.add(payment.id);
      differences.push(...compare(payment, facts));
    } else differences.push(...besideIts(payment, facts));
  }
  for (const payment of payments) {
    if (compared.has(payment.id)) continue;
    differences.push(...(await askAbout(provider, payment)));
  }
  return { payments: payments.length, intents: intents.length, differences };
}

/** An intent that was not listed: it is older than the list, names no payment any more, or is not there. */
async function askAbout(provider: PaymentProvider, payment: PaymentRow): Promise<Difference[]> {
  const { id: subject, providerIntentId } = payment;
  if (providerIntentId === null) {
    const found = 'it is paid, and has no intent';
    return payment.paidAt ? [{ kind: 'payment_without_intent', subject, found }] : [];
  }
  try {
    return compare(payment, await provider.retrieveIntent(providerIntentId));
  } catch (error) {
    if (!(error instanceof IntentNotFound)) throw error;
    const found = `it is ${payment.status}, and ${provider.name} does not know its intent ${providerIntentId}`;
    return [{ kind: 'payment_without_intent', subject, found }];
  }
}

function compare(payment: PaymentRow, facts: ProviderIntentState): Difference[] {
  const { id: subject, status } = payment;
  const one = (kind: Difference['kind'], found: string): Difference[] => [{ kind, subject, found }];
  const at = `intent ${facts.intentId}`;
  // Told of already, as one that a person has to look at.
  if (payment.reviewReason !== null) return [];
  const mismatch = findMismatch(payment, facts);
  if (mismatch) return one('terms_differ', `${mismatch} (${at})`);
  if (payment.paidAt === null) {
    if (facts.status === 'succeeded' && !isWithoutMoney(facts)) {
      return one(
        'taken_not_recorded',
        `it is ${status}, and ${formatMoney(facts.amount)} was taken with ${at}`,
      );
    }
    if (status === 'cancelled' && isOpen(facts)) {
      return one('open_at_provider', `it is cancelled, and ${at} is ${facts.status}`);
    }
    if (status !== 'cancelled' && facts.status === 'cancelled') {
      return one('ended_at_provider', `it is ${status}, and ${at} is cancelled`);
    }
    return [];
  }
  if (facts.status !== 'succeeded') {
    return one('recorded_not_taken', `it is ${status}, and ${at} is ${facts.status}`);
  }
  const found: Difference[] = [];
  if (facts.refundedAmount !== payment.refundedAmount) {
    const [there, here] = [formatMoney(facts.refundedAmount), formatMoney(payment.refundedAmount)];
    found.push(...one('refund_differs', `${there} was given back at the provider, ${here} by our record`));
  }
  if (facts.dispute && isNewDispute(payment, facts)) {
    const known = payment.disputeStatus ?? 'none';
    found.push(...one('dispute_differs', `its dispute is ${facts.dispute.status}, by our record ${known}`));
  }
  return found;
}

function withoutPayment(facts: ProviderIntentState): Difference[] {
  if (isWithoutMoney(facts)) return [];
  const found = `it is ${facts.status} with ${formatMoney(facts.amount)}, and names payment ${facts.paymentId}`;
  return [{ kind: 'intent_without_payment', subject: facts.intentId, found }];
}

function besideIts(payment: PaymentRow, facts: ProviderIntentState): Difference[] {
  // Just made, and about to be stored.
  if (payment.providerIntentId === null && facts.status === 'requires_payment_method') return [];
  if (isWithoutMoney(facts)) return [];
  const its = payment.providerIntentId ?? 'not stored';
  const found = `it is ${facts.status} with ${formatMoney(facts.amount)} for payment ${payment.id}, whose intent is ${its}`;
  return [{ kind: 'second_intent', subject: facts.intentId, found }];
}

const isOpen = ({ status }: ProviderIntentState) => status !== 'cancelled' && status !== 'succeeded';
