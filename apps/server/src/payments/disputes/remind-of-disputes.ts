import { runTransaction } from '../../platform/run-transaction.ts';
import { reminderAlert } from '../intents/dispute-alerts.ts';
import { planReminder } from '../intents/plan-reminder.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import {
  findCaseReference,
  findReminders,
  lockUnansweredDisputes,
  storeReminders,
} from '../records/disputes-store.ts';
import { findPayment } from '../records/payments-store.ts';
import type { DisputeRow } from '../records/rows.ts';

/** Milliseconds before a deadline in which reminders are sent. */
const horizon = 7 * 24 * 3_600_000;

/**
 * Reminds the operator of disputes that are not answered: seven days, three days and one day before the deadline, and
 * once it has passed. Each reminder is sent once, even if the server was down at the time.
 */
export async function remindOfDisputes({
  database,
  clock,
  alertOperator,
}: Pick<PaymentDependencies, 'database' | 'clock' | 'alertOperator'>): Promise<void> {
  const now = clock();
  await runTransaction(database, async (transaction) => {
    const unanswered = await lockUnansweredDisputes(transaction, new Date(now.getTime() + horizon + 1));
    const sent = await findReminders(
      transaction,
      unanswered.map(({ id }) => id),
    );
    const isSentFor = (dispute: DisputeRow) => (reminder: (typeof sent)[number]) =>
      reminder.disputeId === dispute.id && reminder.dueBy.getTime() === dispute.evidenceDueBy?.getTime();
    for (const dispute of unanswered) {
      const { id: disputeId, evidenceDueBy: dueBy } = dispute;
      const payment = await findPayment(transaction, dispute.paymentId);
      if (!dueBy || !payment) continue;
      const days = sent.filter(isSentFor(dispute)).map((reminder) => reminder.days);
      const reminder = planReminder({ dueBy, sent: days }, now);
      if (!reminder) continue;
      const covered = reminder.covers.map((each) => ({ disputeId, dueBy, days: each, sentAt: now }));
      await storeReminders(transaction, covered);
      const caseReference = await findCaseReference(transaction, payment.caseId);
      const { message, details } = reminderAlert(
        { payment, caseReference },
        { ...dispute, disputeId: dispute.providerDisputeId },
        reminder.days,
      );
      // Before the commit: a duplicate alert is better than a missed one.
      alertOperator(message, details);
    }
  });
}
