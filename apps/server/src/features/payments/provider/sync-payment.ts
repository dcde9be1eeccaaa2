import { cardRefusal } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import type { Transaction } from '../../../platform/database.ts';
import { isId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { acceptsPayments } from '../checkout/accepts-payments.ts';
import { writePaymentMails } from '../mails/payment-mails.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports.ts';
import { decideOnFacts, isNewDispute, type PaymentDecision } from '../records/payment-states.ts';
import {
  findPayment,
  findPaymentOfIntent,
  lockPaymentOfIntent,
  nextReceiptNumber,
  type PaymentChange,
  type PaymentRow,
  updatePayment,
} from '../records/payments-store.ts';
import { closeEvents } from '../webhooks/events-store.ts';

/** What the provider said of an intent, and when it was asked. */
export interface RetrievedIntent {
  intent: ProviderIntent;
  askedAt: Date;
}

/** An intent as the provider has it, and what that meant for our payment; undefined where it is none of ours. */
export interface SyncedIntent {
  intent: ProviderIntent;
  decision: PaymentDecision['kind'] | undefined;
}

/**
 * Asks the provider how an intent stands and makes our payment agree, with everything that follows from it, in one
 * transaction. Every way to learn of a change comes here: webhooks, the payer's own request, the catch-up. It may
 * be called at any time, any number of times, for the same intent at once.
 * @param cause for the record: what made us ask
 * @throws ProviderUnavailable, IntentNotFound
 */
export async function syncPaymentFromProvider(
  dependencies: PaymentDependencies,
  intentId: string,
  cause: PaymentCause,
): Promise<SyncedIntent> {
  const askedAt = dependencies.clock();
  const intent = await dependencies.provider.retrieveIntent(intentId);
  return applyProviderIntent(dependencies, { intent, askedAt }, cause);
}

/** What made us ask, for the record. */
export interface PaymentCause {
  name: string;
  eventId?: string;
}

/** The same, where the provider has just been heard. */
export async function applyProviderIntent(
  dependencies: PaymentDependencies,
  { intent, askedAt }: RetrievedIntent,
  cause: PaymentCause,
): Promise<SyncedIntent> {
  const { database, provider, searches } = dependencies;
  const { intentId } = intent;
  const named = { provider: provider.name, intentId, paymentId: intent.paymentId };
  const events = { provider: provider.name, intentId, receivedUntil: askedAt };
  const decision = await runTransaction(database, async (transaction) => {
    // The search before its payment, as everywhere: two who lock in another order wait for each other.
    const { caseSearchId } = (await findPaymentOfIntent(transaction, named)) ?? {};
    if (caseSearchId) await searches.hold(transaction, caseSearchId);
    const payment = await lockPaymentOfIntent(transaction, named);
    if (!payment) {
      await closeEvents(transaction, events, 'unmatched');
      return undefined;
    }
    const decided = decideOnFacts(payment, intent);
    await act(dependencies, transaction, payment, intent, decided, cause);
    await closeEvents(transaction, events, outcomes[decided.kind]);
    return decided.kind;
  });
  if (decision === undefined) await endSuperseded(dependencies, intent);
  return { intent, decision };
}

/**
 * Ends an intent of one of our payments that has another one: its making was never answered, and the provider forgot
 * it, or failed. Its secret was given to nobody; it must not stay open for that.
 */
async function endSuperseded(
  { database, provider, clock }: PaymentDependencies,
  { intentId, paymentId }: ProviderIntent,
): Promise<void> {
  const payment = paymentId && isId(paymentId) ? await findPayment(database, paymentId) : undefined;
  const isSuperseded =
    payment?.provider === provider.name &&
    payment.providerIntentId !== null &&
    payment.providerIntentId !== intentId;
  if (!isSuperseded) return;
  const { status } = await provider.cancelIntent(intentId);
  if (status !== 'canceled') return;
  await closeEvents(database, { provider: provider.name, intentId, receivedUntil: clock() }, 'ignored');
}

const outcomes = { apply: 'applied', unchanged: 'stale', stale: 'stale', mismatched: 'mismatched' } as const;

async function act(
  dependencies: PaymentDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  intent: ProviderIntent,
  decision: PaymentDecision,
  cause: PaymentCause,
): Promise<void> {
  if (decision.kind === 'mismatched') {
    if (decision.reason === payment.reviewReason) return;
    await updatePayment(transaction, payment.id, {
      reviewReason: decision.reason,
      providerIntentId: payment.providerIntentId ?? intent.intentId,
      lastCause: cause.name,
      lastProviderEventId: cause.eventId ?? null,
    });
    dependencies.alertOperator('a payment intent is not what we asked for', {
      payment: payment.id,
      intent: intent.intentId,
      reason: decision.reason,
    });
    return;
  }
  if (decision.kind !== 'apply') return;

  const isNewlyPaid =
    payment.paidAt === null && ['succeeded', 'partially_refunded', 'refunded'].includes(decision.status);
  const change: PaymentChange = {
    status: decision.status,
    refundedAmount: decision.refundedAmount,
    providerIntentId: intent.intentId,
    providerRevision: intent.revision,
    lastCause: cause.name,
    lastProviderEventId: cause.eventId ?? null,
    nextCheckAt: dependencies.clock(),
    failureCode: intent.error?.code ?? null,
    failureMessage: intent.error ? cardRefusal(intent.error.code) : null,
  };
  // What an event tells of is counted with the event.
  if (change.failureCode && cause.eventId === undefined) {
    await dependencies.attempts.countDecline(transaction, payment, null);
  }
  if (intent.dispute) {
    const { status, amount, openedAt } = intent.dispute;
    Object.assign(change, { disputeStatus: status, disputeAmount: amount, disputeOpenedAt: openedAt });
  }
  if (intent.card) Object.assign(change, { cardBrand: intent.card.brand, cardLast4: intent.card.last4 });
  const now = dependencies.clock();
  await writePaymentMails(transaction, payment, { ...decision, isNewlyPaid }, now);
  if (!isNewlyPaid) {
    await updatePayment(transaction, payment.id, change);
    await recordRefundsAndDisputes(dependencies, transaction, payment, intent);
    return;
  }
  const paidAt = now;
  await onPaymentSucceeded(dependencies, transaction, payment, paidAt);
  // The record goes by single moves: money that was taken and given back unseen was taken first.
  await updatePayment(transaction, payment.id, {
    ...change,
    status: 'succeeded',
    refundedAmount: 0,
    disputeStatus: null,
    disputeAmount: null,
    disputeOpenedAt: null,
    paidAt,
    receiptNumber: await nextReceiptNumber(transaction, yearInLondon(paidAt)),
  });
  if (decision.status !== 'succeeded' || intent.dispute) {
    await updatePayment(transaction, payment.id, change);
  }
  await recordRefundsAndDisputes(dependencies, transaction, payment, intent);
}

/** What follows from the money being taken. */
async function onPaymentSucceeded(
  { searches, cases, history, alertOperator }: PaymentDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  paidAt: Date,
): Promise<void> {
  if (payment.caseSearchId && !(await searches.markPaid(transaction, payment.caseSearchId, paidAt))) {
    // Before the commit: told of twice is better than never.
    alertOperator('a search was paid that no longer awaited payment: the money may have to go back', {
      payment: payment.id,
      search: payment.caseSearchId,
    });
  }
  const clientId = payment.confirmedBy ?? payment.clientId;
  const payableCase = await cases.findOfClient(transaction, { clientId, caseId: payment.caseId });
  const { kind, category } = payment;
  const details = { payment: payment.id, case: payment.caseId };
  if (!payableCase) {
    alertOperator('a client paid who is no longer on the case: the money may have to go back', details);
  } else if (!acceptsPayments(payableCase.status, { kind, category })) {
    alertOperator('money was paid for a case that does not go on: it may have to go back', {
      ...details,
      status: payableCase.status,
    });
  }
  await history.record(transaction, {
    caseId: payment.caseId,
    occurredAt: paidAt,
    clientId,
    summary: `Paid ${formatMoney(payment.amount)} for: ${payment.description}`,
  });
}

/** What the firm or the payer's bank has done with a payment since we last heard of it. */
async function recordRefundsAndDisputes(
  { history, clock, alertOperator }: PaymentDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  intent: ProviderIntent,
): Promise<void> {
  const entry = { caseId: payment.caseId, occurredAt: clock(), clientId: null };
  const givenBack = intent.refundedAmount - payment.refundedAmount;
  if (givenBack > 0) {
    await history.record(transaction, {
      ...entry,
      summary: `Paid back ${formatMoney(givenBack)} for: ${payment.description}`,
    });
  }
  if (intent.dispute && isNewDispute(payment, intent)) {
    const { status, amount } = intent.dispute;
    await history.record(transaction, {
      ...entry,
      summary: `${disputeWords[status]} ${formatMoney(amount)} for: ${payment.description}`,
    });
    alertOperator(`a payment is disputed: ${disputeAdvice[status]}`, {
      payment: payment.id,
      intent: intent.intentId,
      status,
      amount,
    });
  }
}

const disputeWords = {
  open: "The card's bank has questioned the payment of",
  won: "The card's bank has confirmed the payment of",
  lost: "The card's bank has taken back the payment of",
} as const;

const disputeAdvice = {
  open: 'answer it at the provider before its time is over',
  won: 'it has ended, and the money stays',
  lost: 'it has ended, and the bank has taken the money back',
} as const;

const yearInLondon = (instant: Date) => Number(londonDay(instant).slice(0, 4));
