import type { ProviderDispute } from '../ports/disputes.ts';
import { deriveDispute, isStale, phaseOf } from '../records/dispute-states.ts';
import type { DisputeRecord } from '../records/disputes-store.ts';
import { summariseDispute } from '../records/history-summaries.ts';
import type { DisputeRow, PaymentRow } from '../records/rows.ts';
import { type Alert, type DisputeStep, disputeAlert } from './dispute-alerts.ts';
import { daysReached } from './plan-reminder.ts';

/** The changes that follow from the provider's disputes of a payment. */
export interface DisputesPlan {
  /** The disputes to store: new, changed, or observed again. */
  records: DisputeRecord[];
  /** The columns of the payment that are derived from its disputes, if they change. */
  paymentColumns: Pick<PaymentRow, 'disputeStatus' | 'disputeAmount' | 'disputeOpenedAt'> | null;
  /** For the case's history. */
  history: string[];
  alerts: Alert[];
  /** The reminders that these alerts make unnecessary. */
  coveredReminders: { providerDisputeId: string; dueBy: Date; days: number }[];
}

export interface DisputesToPlan {
  payment: PaymentRow;
  caseReference: string;
  /** The stored disputes of the payment, locked with it. */
  known: DisputeRow[];
  atProvider: readonly ProviderDispute[];
  /** The time of the call to the provider. */
  askedAt: Date;
  now: Date;
}

/**
 * Plans the changes that follow from the provider's disputes of a payment. Answers can arrive in any order: an older
 * one never replaces a newer one, and a known dispute is never removed.
 */
export function planDisputes({
  payment,
  caseReference,
  known,
  atProvider,
  askedAt,
  now,
}: DisputesToPlan): DisputesPlan {
  const records: DisputeRecord[] = [];
  const history: string[] = [];
  const alerts: Alert[] = [];
  const coveredReminders: DisputesPlan['coveredReminders'] = [];
  for (const dispute of atProvider) {
    const before = known.find(({ providerDisputeId }) => providerDisputeId === dispute.disputeId);
    if (before && isStale(before, askedAt, now)) continue;
    records.push(toRecord(payment, dispute, before, { askedAt, now }));
    if (isNewsForClient(payment, dispute, before, known)) {
      history.push(summariseDispute({ phase: phaseOf(dispute), amount: dispute.amount }, payment));
    }
    const step = stepOf(dispute, before);
    if (!step) continue;
    alerts.push(disputeAlert({ payment, caseReference }, dispute, step));
    const { disputeId: providerDisputeId, evidenceDueBy: dueBy } = dispute;
    if (!dueBy) continue;
    coveredReminders.push(...daysReached(dueBy, now).map((days) => ({ providerDisputeId, dueBy, days })));
  }
  const isRecorded = ({ providerDisputeId }: DisputeRow) =>
    records.some((record) => record.providerDisputeId === providerDisputeId);
  const derived = deriveDispute([...known.filter((dispute) => !isRecorded(dispute)), ...records]);
  return { records, paymentColumns: changedColumns(payment, derived), history, alerts, coveredReminders };
}

function toRecord(
  payment: PaymentRow,
  { disputeId, intentId: _intent, ...dispute }: ProviderDispute,
  before: DisputeRow | undefined,
  { askedAt, now }: { askedAt: Date; now: Date },
): DisputeRecord {
  return {
    ...dispute,
    paymentId: payment.id,
    provider: payment.provider,
    providerDisputeId: disputeId,
    submittedAt: dispute.submissions > 0 ? (before?.submittedAt ?? now) : null,
    closedAt: dispute.status === 'closed' ? (before?.closedAt ?? now) : null,
    observedAt: askedAt,
  };
}

/** Finds the step of a dispute that the operator is alerted about. */
function stepOf(dispute: ProviderDispute, before: DisputeRow | undefined): DisputeStep | undefined {
  if (dispute.status === 'closed')
    return dispute.outcome === (before?.outcome ?? null) ? undefined : 'closed';
  if (!before) return 'opened';
  if (before.isInquiry && !dispute.isInquiry) return 'escalated';
  if (before.status !== dispute.status && dispute.status === 'needs_response') return 'reopened';
  if (before.status === 'closed') return 'reopened';
  const isNewDeadline = dispute.evidenceDueBy?.getTime() !== before.evidenceDueBy?.getTime();
  return isNewDeadline && dispute.status === 'needs_response' ? 'rescheduled' : undefined;
}

/** Whether a dispute has reached a phase that the client's history does not have yet. */
function isNewsForClient(
  payment: PaymentRow,
  dispute: ProviderDispute,
  before: DisputeRow | undefined,
  known: DisputeRow[],
): boolean {
  if (before) return phaseOf(before) !== phaseOf(dispute);
  // Recorded on the payment alone, by a release without a table of disputes.
  const wasRecorded = known.length === 0 && changedColumns(payment, deriveDispute([dispute])) === null;
  return !wasRecorded;
}

function changedColumns(
  payment: PaymentRow,
  derived: ReturnType<typeof deriveDispute>,
): DisputesPlan['paymentColumns'] {
  if (derived === null) return null;
  const isSame =
    payment.disputeStatus === derived.status &&
    payment.disputeAmount === derived.amount &&
    payment.disputeOpenedAt?.getTime() === derived.openedAt.getTime();
  if (isSame) return null;
  return {
    disputeStatus: derived.status,
    disputeAmount: derived.amount,
    disputeOpenedAt: derived.openedAt,
  };
}
