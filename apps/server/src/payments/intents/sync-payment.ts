import type { CardWallet, PaymentSupplier } from '@keyturn/contract';
import { acceptsPayments } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { payableCases } from '../../case-file/cases/payable-cases.ts';
import { paymentHistory } from '../../case-file/history/record-payment.ts';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import type { Transaction } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { allocateSearchPayment } from '../allocation/allocate-search-payment.ts';
import { coversOpenPayments, grossOf, paidOf } from '../bills/bill-amounts.ts';
import { findBill } from '../bills/bills-store.ts';
import { queuePaymentMails } from '../mails/payment-mails.ts';
import { queueOrderRequest } from '../order-requests/file-order-request-job.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports/intents.ts';
import { canBeOurs } from '../ports/intents.ts';
import { closeEvents } from '../records/events-store.ts';
import { summarisePayment } from '../records/history-summaries.ts';
import { findPaymentOfIntent, lockPaymentOfIntent } from '../records/intents-store.ts';
import { awaitsPayerCheck } from '../records/payer-check.ts';
import { isRegression, type PaymentDecision } from '../records/payment-states.ts';
import { findPayment, updatePayment } from '../records/payments-store.ts';
import { nextReceiptNumber, reuseReceiptNumber } from '../records/receipt-numbers.ts';
import { findRefunds, storeRefundSteps } from '../records/refunds-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { queueReceiptLabel } from './label-receipt-job.ts';
import { type PaymentCause, planSync, type SyncPlan } from './plan-sync.ts';
import { recordDisputes, reportErased } from './record-disputes.ts';

/** An intent from the provider, with the time of the call. */
export interface RetrievedIntent {
  intent: ProviderIntent;
  askedAt: Date;
  /** The receipt number that the payment had before a restore, if it is not recorded as paid. */
  receiptNumber?: string | null;
}

export interface SyncedIntent {
  intent: ProviderIntent;
  /** The changes of our payment; undefined if the intent belongs to none. */
  decision: PaymentDecision['kind'] | undefined;
}

export type SyncDependencies = Pick<
  PaymentDependencies,
  'database' | 'installationId' | 'continuity' | 'provider' | 'attempts' | 'clock' | 'alertOperator'
>;

/**
 * Retrieves an intent from the provider and applies its state to our payment, with all consequences, in one
 * transaction. Webhooks, the payer's requests and the periodic checks all use this function. Idempotent, even with
 * concurrent calls for the same intent.
 * @param cause the cause of the sync, for the record
 * @throws ProviderUnavailable, IntentNotFound
 * @throws DomainError `payments_paused`
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
 * Applies the state of an intent that was just retrieved to our payment.
 * @param cause the cause of the sync, for the record
 * @throws ProviderUnavailable, IntentNotFound
 * @throws DomainError `payments_paused`
 */
export async function applyProviderIntent(
  dependencies: SyncDependencies,
  retrieved: RetrievedIntent,
  cause: PaymentCause,
): Promise<SyncedIntent> {
  const { provider, clock, installationId } = dependencies;
  const { intentId } = retrieved.intent;
  let latest: RetrievedIntent & { lastKnownUpdate?: Date } = retrieved;
  for (let attempt = 1; ; attempt++) {
    const applied = await applyRetrieved(dependencies, latest, cause);
    const { decision } = applied;
    if (decision !== 'possibly outdated') {
      if (decision === undefined && canBeOurs(latest.intent, installationId))
        await cancelSuperseded(dependencies, latest.intent);
      return { intent: latest.intent, decision };
    }
    // The events stay open, so that the periodic check retries.
    if (attempt === maxAttempts) return { intent: latest.intent, decision: 'stale' };
    const askedAt = clock();
    latest = {
      ...latest,
      askedAt,
      intent: await provider.retrieveIntent(intentId),
      lastKnownUpdate: applied.changedAt,
    };
  }
}

const maxAttempts = 3;

type Applied =
  | { decision: PaymentDecision['kind'] | undefined }
  /** A newer answer of the provider may already have been applied. */
  | { decision: 'possibly outdated'; changedAt: Date };

/**
 * @param retrieved.lastKnownUpdate the time of the payment's last change before the call to the provider, if known
 */
async function applyRetrieved(
  dependencies: SyncDependencies,
  { intent, askedAt, receiptNumber, lastKnownUpdate }: RetrievedIntent & { lastKnownUpdate?: Date },
  cause: PaymentCause,
): Promise<Applied> {
  const { database, provider, clock } = dependencies;
  const { intentId } = intent;
  // After a restore nothing is recorded before the recovery, because it would use receipt numbers that were already
  // issued.
  await dependencies.continuity.checkOpen(provider.name);
  // An intent of another installation can name the same payment, if one database is a copy of the other.
  const isOurs = canBeOurs(intent, dependencies.installationId);
  const named = { provider: provider.name, intentId, paymentId: isOurs ? intent.paymentId : null };
  const events = { provider: provider.name, intentId, receivedUntil: askedAt };
  return runTransaction(database, async (transaction): Promise<Applied> => {
    // Searches are always locked before their payment: another order could deadlock.
    const { caseSearchId } = (await findPaymentOfIntent(transaction, named)) ?? {};
    if (caseSearchId) await payableSearches.lockById(transaction, caseSearchId);
    const payment = await lockPaymentOfIntent(transaction, named);
    if (!payment) {
      const objectIds = intent.disputes.map(({ disputeId }) => disputeId);
      const isErased = isOurs && (await reportErased(dependencies, transaction, { intentId, objectIds }));
      await closeEvents(transaction, events, isOurs && !isErased ? 'unmatched' : 'ignored');
      return { decision: undefined };
    }
    if (isRegression(payment, intent) && payment.updatedAt.getTime() !== lastKnownUpdate?.getTime())
      return { decision: 'possibly outdated', changedAt: payment.updatedAt };
    const plan = planSync(payment, await findRefundsOf(transaction, payment, intent), intent, cause, clock());
    await applyPlan(dependencies, transaction, payment, {
      ...plan,
      cause,
      givenReceiptNumber: receiptNumber ?? null,
    });
    const isNewDispute = await recordDisputes(dependencies, transaction, payment, {
      disputes: intent.disputes,
      askedAt,
      cause,
    });
    const outcome = eventOutcomes[plan.decision];
    await closeEvents(transaction, events, isNewDispute && outcome === 'stale' ? 'applied' : outcome);
    return { decision: plan.decision };
  });
}

const eventOutcomes = {
  apply: 'applied',
  unchanged: 'stale',
  stale: 'stale',
  mismatched: 'mismatched',
} as const;

/** Finds our refunds of a payment; an unpaid one has refunds only if the provider has them. */
const findRefundsOf = async (transaction: Transaction, { id, paidAt }: PaymentRow, intent: ProviderIntent) =>
  paidAt === null && intent.refunds.length === 0 ? [] : findRefunds(transaction, [id]);

async function applyPlan(
  dependencies: SyncDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  plan: SyncPlan & { cause: PaymentCause; givenReceiptNumber: string | null },
): Promise<void> {
  const { attempts, clock } = dependencies;
  const stored = { paymentId: payment.id, steps: plan.refunds, now: clock() };
  await storeRefundSteps(transaction, stored, plan.cause);
  if (plan.countsDecline) await attempts.countDecline(transaction, payment, null);
  await queuePaymentMails(transaction, payment, plan.mails, clock());
  const frozen =
    plan.paidAt &&
    (await onPaymentSucceeded(dependencies, transaction, payment, {
      paidAt: plan.paidAt,
      wallet: plan.updates[0]?.cardWallet ?? null,
    }));
  const [first, ...rest] = plan.updates;
  const clearedAt = first?.clearedAt ?? null;
  const allocation =
    clearedAt &&
    (await allocateSearchPayment(transaction, payment, {
      clearsOn: first?.clearsOn ?? londonDay(clearedAt),
      awaitsPayerCheck: awaitsPayerCheck({ ...payment, paidAt: payment.paidAt ?? plan.paidAt }),
      at: clearedAt,
    }));
  // The last effect of a success, because concurrent payments wait for the counter of receipt numbers.
  const receiptNumber =
    plan.paidAt &&
    (plan.givenReceiptNumber === null
      ? await nextReceiptNumber(transaction, yearInLondon(plan.paidAt))
      : await reuseReceiptNumber(transaction, plan.givenReceiptNumber));
  if (first)
    await updatePayment(transaction, payment.id, {
      ...first,
      ...(receiptNumber ? { receiptNumber } : {}),
      ...(allocation ? { allocation } : {}),
      ...frozen,
    });
  if (receiptNumber) await queueReceiptLabel(transaction, payment.id);
  for (const update of rest) await updatePayment(transaction, payment.id, update);
  await recordRefunds(dependencies, transaction, payment, plan);
}

/**
 * Marks the search as paid, files the request to order it, records the payment in the history, and alerts if the firm may have to refund it.
 * @returns what the receipt will permanently say: the firm, unless none was imported, and what was left of the bill
 */
async function onPaymentSucceeded(
  { alertOperator }: SyncDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  { paidAt, wallet }: { paidAt: Date; wallet: CardWallet | null },
): Promise<{ supplier?: PaymentSupplier; billLeft?: number }> {
  // Alerts go out before the commit: a duplicate alert is better than a missed one.
  if (payment.caseSearchId && !(await payableSearches.markPaid(transaction, payment.caseSearchId, paidAt))) {
    alertOperator('a search was paid that no longer awaited payment: the money may have to be refunded', {
      payment: payment.id,
      search: payment.caseSearchId,
    });
  }
  const bill = payment.billId ? await findBill(transaction, payment.billId) : undefined;
  if (bill && !coversOpenPayments(bill)) {
    alertOperator('a bill was paid that is cancelled or paid already: the money may have to be refunded', {
      payment: payment.id,
      bill: bill.bill.number,
    });
  }
  if (payment.confirmedBy === null) {
    alertOperator('a payment succeeded that no client had confirmed: find out whose card paid', {
      payment: payment.id,
    });
  }
  const clientId = payment.confirmedBy ?? payment.clientId;
  const { status, payerFirstName, firm } = await payableCases.readAtPayment(transaction, {
    clientId,
    caseId: payment.caseId,
  });
  const details = { payment: payment.id, case: payment.caseId };
  if (status === null) {
    alertOperator('a client paid who is no longer on the case: the money may have to be refunded', details);
  } else if (!acceptsPayments(status, payment)) {
    alertOperator('a payment came for a case that is not active: the money may have to be refunded', {
      ...details,
      status,
    });
  }
  await queueOrderRequest(transaction, payment);
  await paymentHistory.record(transaction, {
    caseId: payment.caseId,
    occurredAt: paidAt,
    clientId,
    summary: summarisePayment(payerFirstName, payment, wallet),
  });
  return {
    ...(firm ? { supplier: { name: firm.name, address: firm.address, vat_number: firm.vat_number } } : {}),
    ...(bill ? { billLeft: Math.max(0, grossOf(bill.bill) - paidOf(bill) - payment.amount) } : {}),
  };
}

/** Records the firm's actions on a payment, and alerts the operator. */
async function recordRefunds(
  { clock, alertOperator }: SyncDependencies,
  transaction: Transaction,
  { caseId }: PaymentRow,
  plan: SyncPlan,
): Promise<void> {
  for (const summary of plan.history) {
    await paymentHistory.record(transaction, { caseId, occurredAt: clock(), clientId: null, summary });
  }
  for (const { message, details } of plan.alerts) alertOperator(message, details);
}

/**
 * Cancels a surplus intent of a payment that meanwhile has another one, because the call that created it was never
 * answered. No browser has its secret, so it must not stay open.
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
