import { londonDay } from '@keyturn/format/london-time';
import type { Transaction } from '../../../platform/database.ts';
import { isId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { acceptsPayments } from '../checkout/accepts-payments.ts';
import { queuePaymentMails } from '../mails/payment-mails.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports.ts';
import { summarisePayment } from '../records/history-summaries.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import type { PaymentDecision } from '../records/payment-states.ts';
import { findPayment, updatePayment } from '../records/payments-store.ts';
import { nextReceiptNumber } from '../records/receipt-numbers.ts';
import { closeEvents } from '../webhooks/events-store.ts';
import { findPaymentOfIntent, lockPaymentOfIntent } from './intents-store.ts';
import { type PaymentCause, planSync, type SyncPlan } from './plan-sync.ts';

/** An intent as the provider gave it, and when it was asked for. */
export interface RetrievedIntent {
  intent: ProviderIntent;
  askedAt: Date;
}

export interface SyncedIntent {
  intent: ProviderIntent;
  /** What the intent meant for our payment; undefined if it belongs to none of ours. */
  decision: PaymentDecision['kind'] | undefined;
}

export type SyncDependencies = Pick<
  PaymentDependencies,
  'database' | 'provider' | 'cases' | 'searches' | 'history' | 'attempts' | 'clock' | 'alertOperator'
>;

/**
 * Asks the provider for the state of an intent and applies it to our payment, with everything that follows from it, in
 * one transaction. Webhooks, the payer's own requests and the periodic checks all come through here. Idempotent, also
 * when called for the same intent at the same time.
 * @param cause what made us ask, for the record
 * @throws ProviderUnavailable, IntentNotFound
 */
export async function syncPaymentFromProvider(
  dependencies: SyncDependencies,
  intentId: string,
  cause: PaymentCause,
): Promise<SyncedIntent> {
  const askedAt = dependencies.clock();
  const intent = await dependencies.provider.retrieveIntent(intentId);
  return applyProviderIntent(dependencies, { intent, askedAt }, cause);
}

/**
 * Applies the state of an intent, as the provider has just given it, to our payment.
 * @param cause what made us ask, for the record
 * @throws ProviderUnavailable, IntentNotFound
 */
export async function applyProviderIntent(
  dependencies: SyncDependencies,
  { intent, askedAt }: RetrievedIntent,
  cause: PaymentCause,
): Promise<SyncedIntent> {
  const { database, provider, searches, clock } = dependencies;
  const { intentId } = intent;
  const named = { provider: provider.name, intentId, paymentId: intent.paymentId };
  const events = { provider: provider.name, intentId, receivedUntil: askedAt };
  const decision = await runTransaction(database, async (transaction) => {
    // Searches are always locked before their payment: another order could deadlock.
    const { caseSearchId } = (await findPaymentOfIntent(transaction, named)) ?? {};
    if (caseSearchId) await searches.lockById(transaction, caseSearchId);
    const payment = await lockPaymentOfIntent(transaction, named);
    if (!payment) {
      await closeEvents(transaction, events, 'unmatched');
      return undefined;
    }
    const plan = planSync(payment, intent, cause, clock());
    await applyPlan(dependencies, transaction, payment, plan);
    await closeEvents(transaction, events, eventOutcomes[plan.decision]);
    return plan.decision;
  });
  if (decision === undefined) await cancelSuperseded(dependencies, intent);
  return { intent, decision };
}

const eventOutcomes = {
  apply: 'applied',
  unchanged: 'stale',
  stale: 'stale',
  mismatched: 'mismatched',
} as const;

async function applyPlan(
  dependencies: SyncDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  plan: SyncPlan,
): Promise<void> {
  const { attempts, clock } = dependencies;
  if (plan.countsDecline) await attempts.countDecline(transaction, payment, null);
  await queuePaymentMails(transaction, payment, plan.mails, clock());
  if (plan.paidAt) await onPaymentSucceeded(dependencies, transaction, payment, plan.paidAt);
  const [first, ...rest] = plan.updates;
  // Last among the effects of a success: concurrent payments wait for the counter of receipt numbers.
  const receiptNumber = plan.paidAt && (await nextReceiptNumber(transaction, yearInLondon(plan.paidAt)));
  if (first)
    await updatePayment(transaction, payment.id, { ...first, ...(receiptNumber ? { receiptNumber } : {}) });
  for (const update of rest) await updatePayment(transaction, payment.id, update);
  await recordRefundsAndDisputes(dependencies, transaction, payment, plan);
}

/** Marks the search as paid, records the payment in the history, and alerts if the firm may have to refund it. */
async function onPaymentSucceeded(
  { searches, cases, history, alertOperator }: SyncDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  paidAt: Date,
): Promise<void> {
  // Alerts go out before the commit: a duplicate alert is better than a missed one.
  if (payment.caseSearchId && !(await searches.markPaid(transaction, payment.caseSearchId, paidAt))) {
    alertOperator('a search was paid that no longer awaited payment: the money may have to be refunded', {
      payment: payment.id,
      search: payment.caseSearchId,
    });
  }
  const clientId = payment.confirmedBy ?? payment.clientId;
  const payableCase = await cases.findOfClient(transaction, { clientId, caseId: payment.caseId });
  const details = { payment: payment.id, case: payment.caseId };
  if (!payableCase) {
    alertOperator('a client paid who is no longer on the case: the money may have to be refunded', details);
  } else if (!acceptsPayments(payableCase.status, payment)) {
    alertOperator('a payment came for a case that is not active: the money may have to be refunded', {
      ...details,
      status: payableCase.status,
    });
  }
  const payer = await cases.findFirstName(transaction, clientId);
  await history.record(transaction, {
    caseId: payment.caseId,
    occurredAt: paidAt,
    clientId,
    summary: summarisePayment(payer, payment),
  });
}

/** Records what the firm or the card's bank has done with a payment, and alerts the operator. */
async function recordRefundsAndDisputes(
  { history, clock, alertOperator }: SyncDependencies,
  transaction: Transaction,
  { caseId }: PaymentRow,
  plan: SyncPlan,
): Promise<void> {
  for (const summary of plan.history) {
    await history.record(transaction, { caseId, occurredAt: clock(), clientId: null, summary });
  }
  for (const { message, details } of plan.alerts) alertOperator(message, details);
}

/**
 * Cancels an intent that belongs to one of our payments which meanwhile has another intent: the call that created it was
 * never answered. No browser has its secret, so it must not stay open.
 */
async function cancelSuperseded(
  { database, provider, clock }: SyncDependencies,
  { intentId, paymentId }: ProviderIntent,
): Promise<void> {
  const payment = paymentId && isId(paymentId) ? await findPayment(database, paymentId) : undefined;
  const isSuperseded =
    payment?.provider === provider.name &&
    payment.providerIntentId !== null &&
    payment.providerIntentId !== intentId;
  if (!isSuperseded) return;
  const { status } = await provider.cancelIntent(intentId);
  if (status !== 'cancelled') return;
  await closeEvents(database, { provider: provider.name, intentId, receivedUntil: clock() }, 'ignored');
}

const yearInLondon = (instant: Date) => Number(londonDay(instant).slice(0, 4));
