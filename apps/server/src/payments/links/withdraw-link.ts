import { paymentHistory } from '../../case-file/history/record-payment.ts';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { lockLink, markLinkWithdrawn } from './links-store.ts';
import { currentState } from './read-link.ts';
import { linkNotPossible } from './send-link.ts';

/**
 * Withdraws a payment link: it then says that the firm no longer requests the payment, and its email is no longer
 * sent. Its search or bill stays payable without it. Idempotent.
 * @throws DomainError `not_found`
 * @throws DomainError `link_not_possible` if a payment was started or made
 */
export async function withdrawLink(
  { database, clock }: Pick<PaymentDependencies, 'database' | 'clock'>,
  linkId: string,
  by: AuditedBy,
): Promise<void> {
  if (!isId(linkId)) throw new DomainError('not_found');
  await runTransaction(database, async (transaction) => {
    const found = await lockLink(transaction, linkId);
    if (!found) throw new DomainError('not_found');
    const { link, caseReference, searchReference, billReference } = found;
    if (link.withdrawnAt !== null) return;
    const { state } = await currentState(transaction, link);
    if (state !== 'payable' && state !== 'withdrawn') throw linkNotPossible(reasons[state]);
    const now = clock();
    await markLinkWithdrawn(transaction, link.id, now);
    await paymentHistory.record(transaction, {
      caseId: link.caseId,
      occurredAt: now,
      clientId: null,
      summary: `We withdrew our request to pay for: ${link.description}`,
    });
    await recordAudit(transaction, {
      ...by,
      occurredAt: now,
      action: 'payment.link_withdrawn',
      subject: searchReference
        ? { kind: 'search', id: searchReference }
        : billReference
          ? { kind: 'bill', id: billReference }
          : { kind: 'case', id: caseReference },
      after: { link: link.id },
    });
  });
}

const reasons = {
  being_paid: 'A payment for it has been started, so the request leads to that payment. Nothing was changed.',
  paid: 'It has been paid, so there is nothing to withdraw.',
  under_review: 'A payment for it is under review. Close the review first.',
} as const;
