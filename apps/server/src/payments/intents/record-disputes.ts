import { sql } from 'drizzle-orm';
import { paymentHistory } from '../../case-file/history/record-payment.ts';
import type { Connection, Transaction } from '../../platform/database.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderDispute } from '../ports/disputes.ts';
import {
  findCaseReference,
  findDisputesOfPayment,
  ignoreObject,
  storeDispute,
  storeReminders,
} from '../records/disputes-store.ts';
import { updatePayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { planDisputes } from './plan-disputes.ts';
import type { PaymentCause } from './plan-sync.ts';

export type RecordingDependencies = Pick<PaymentDependencies, 'clock' | 'alertOperator'>;

/** The disputes of a payment as its provider gave them. */
export interface ObservedDisputes {
  disputes: readonly ProviderDispute[];
  /** The time of the call to the provider. */
  askedAt: Date;
  cause: PaymentCause;
}

/**
 * Records the disputes of a payment, with the case's history and alerts. Idempotent.
 * @param payment locked
 * @returns whether the client sees a difference
 */
export async function recordDisputes(
  dependencies: RecordingDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  { disputes: atProvider, askedAt, cause }: ObservedDisputes,
): Promise<boolean> {
  if (atProvider.length === 0) return false;
  const { clock, alertOperator } = dependencies;
  const plan = planDisputes({
    payment,
    caseReference: await findCaseReference(transaction, payment.caseId),
    known: await findDisputesOfPayment(transaction, payment.id),
    atProvider,
    askedAt,
    now: clock(),
  });
  for (const record of plan.records) {
    const disputeId = await storeDispute(transaction, record);
    const covered = plan.coveredReminders.filter(
      ({ providerDisputeId }) => providerDisputeId === record.providerDisputeId,
    );
    const sentAt = clock();
    await storeReminders(
      transaction,
      covered.map(({ dueBy, days }) => ({ disputeId, dueBy, days, sentAt })),
    );
  }
  for (const summary of plan.history) {
    await paymentHistory.record(transaction, {
      caseId: payment.caseId,
      occurredAt: clock(),
      clientId: null,
      summary,
    });
  }
  if (plan.paymentColumns) {
    await updatePayment(transaction, payment.id, {
      ...plan.paymentColumns,
      lastCause: cause.name,
      lastProviderEventId: cause.eventId ?? null,
    });
  }
  // Before the commit: a duplicate alert is better than a missed one.
  for (const { message, details } of plan.alerts) alertOperator(message, details);
  return plan.paymentColumns !== null;
}

/**
 * Alerts the operator, once for each object, to disputes, early fraud warnings and reviews of an erased payment. Keyturn
 * has no record to show them with, and a dispute without an answer is lost.
 * @param reported.objectIds the provider's ids of what it reports
 * @returns false if no payment with this intent was erased; nothing was alerted then
 */
export async function reportErased(
  { provider, clock, alertOperator }: Pick<PaymentDependencies, 'provider' | 'clock' | 'alertOperator'>,
  connection: Connection,
  { intentId, objectIds }: { intentId: string; objectIds: string[] },
): Promise<boolean> {
  const { rows } = await connection.execute<{ payment: string; erasure: string }>(sql`
    select payment_id as payment, erasure_id as erasure from erased_payments
    where provider = ${provider.name} and provider_intent_id = ${intentId}`);
  const [erased] = rows;
  if (!erased) return false;
  for (const objectId of objectIds) {
    const isNew = await ignoreObject(connection, {
      provider: provider.name,
      objectId,
      ignoredAt: clock(),
    });
    if (isNew)
      alertOperator(
        'the provider reports a dispute, fraud warning or review of an erased payment: answer it at the provider',
        { ...erased, intent: intentId, reported: objectId },
      );
  }
  return true;
}
