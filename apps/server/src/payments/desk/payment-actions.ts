import type { MoneyCallKey, StaffCallBody } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import { byStaff, recordAudit } from '../../platform/audit/record-audit.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError, type ErrorCode, invalidInput, notPossible } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { PayerCheck } from '../../schema/tables/payment-tables.ts';
import { allocateSearchPayment } from '../allocation/allocate-search-payment.ts';
import { readContinuity } from '../continuity/continuity-store.ts';
import { type LinkRequest, type SentLink, sendLink } from '../links/send-link.ts';
import { withdrawLink } from '../links/withdraw-link.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, ProviderUnavailable } from '../ports/provider.ts';
import { auditPaymentsCommand } from '../reconciliation/audit-payments-command.ts';
import { awaitsPayerCheck } from '../records/payer-check.ts';
import { findPayment, lockPayment, updatePayment } from '../records/payments-store.ts';
import { findRefund } from '../records/refunds-store.ts';
import type { PaymentRow, RefundRow } from '../records/rows.ts';
import { rejectRefund, storeRefundApproval, storeRefundRequest } from '../refunds/request-refund.ts';
import { submitRefund } from '../refunds/submit-refund.ts';
import { closeReview, type ReviewDecision } from '../reviews/close-review.ts';
import { findMattersToName } from './matters-to-name.ts';

/** The member who acts at the desk, and their IP address. */
export interface DeskCaller {
  staff: SignedInStaff;
  address: string;
}

type Body<K extends MoneyCallKey> = StaffCallBody<K>;

/**
 * Refunds a payment, or requests it. A repeated request with the same key makes no second refund.
 * @returns the refund: `approved` if the provider did not answer, and then a job submits it
 * @throws DomainError
 */
export async function requestRefundAtDesk(
  dependencies: PaymentDependencies,
  paymentId: string,
  {
    amount,
    reason,
    note,
    key,
    money_state: moneyState,
    office = null,
  }: Body<'POST /staff/payments/{id}/refunds'>,
  caller: DeskCaller,
): Promise<RefundRow> {
  await requirePayment(dependencies, paymentId);
  await requireOpen(dependencies);
  if (moneyState === null) throw invalidInput('money_state', 'Say whether this money has been spent.');
  const { staff } = caller;
  const requestedBy = nameOf(staff);
  const request = { paymentId, amount, reason, note: note.trim(), requestedBy, staff, key, office };
  await audit(dependencies, { name: 'refund', ...request }, caller);
  const { refund } = await explainUnavailable(
    () => storeRefundRequest(dependencies, { ...request, moneyState: moneyState ?? null }),
    'The payment provider doesn’t answer. Nothing was requested. Please try again later.',
  );
  return submitOrLeave(dependencies, refund);
}

/**
 * Approves a request of another person, and makes the refund. Idempotent.
 * @throws DomainError
 */
export async function approveRefundAtDesk(
  dependencies: PaymentDependencies,
  refundId: string,
  caller: DeskCaller,
): Promise<RefundRow> {
  await requireRefund(dependencies, refundId);
  await requireOpen(dependencies);
  const { staff } = caller;
  const approval = { refundId, approvedBy: nameOf(staff), staff };
  await audit(dependencies, { name: 'approve refund', ...approval }, caller);
  const approved = await explainUnavailable(
    () => storeRefundApproval(dependencies, approval),
    'The payment provider doesn’t answer. Nothing was approved. Please try again later.',
  );
  return submitOrLeave(dependencies, approved);
}

/**
 * Rejects a request. A handler may only withdraw their own. Idempotent.
 * @throws DomainError
 */
export async function rejectRefundAtDesk(
  dependencies: PaymentDependencies,
  refundId: string,
  reason: string,
  caller: DeskCaller,
): Promise<RefundRow> {
  const { requestedByStaff } = await requireRefund(dependencies, refundId);
  const { staff } = caller;
  if (staff.role === 'handler' && requestedByStaff !== staff.id) throw new DomainError('role_not_permitted');
  await requireOpen(dependencies);
  const rejection = { refundId, reason: `${reason.trim()} (${nameOf(staff)})` };
  await audit(dependencies, { name: 'reject refund', ...rejection }, caller);
  return explainUnavailable(() => rejectRefund(dependencies, rejection));
}

/**
 * Closes the review of a payment.
 * @throws DomainError
 */
export async function closeReviewAtDesk(
  dependencies: PaymentDependencies,
  paymentId: string,
  decision: ReviewDecision,
  caller: DeskCaller,
): Promise<void> {
  await requirePayment(dependencies, paymentId);
  await requireOpen(dependencies);
  await audit(dependencies, { name: 'close review', paymentId, decision }, caller);
  await explainUnavailable(() => closeReview(dependencies, paymentId, decision));
}

/**
 * Records the check of the person whose card paid, so that the money may be used. Idempotent for the same words.
 * @throws DomainError `not_found`, `edit_not_possible`
 */
export async function recordPayerCheck(
  { database, clock }: Pick<PaymentDependencies, 'database' | 'clock'>,
  paymentId: string,
  { relationship, source, identity, approved_by }: Body<'POST /staff/payments/{id}/payer-check'>,
  caller: DeskCaller,
): Promise<void> {
  if (!isId(paymentId)) throw new DomainError('not_found');
  const { staff } = caller;
  const now = clock();
  await runTransaction(database, async (transaction) => {
    await lockSearchOf(transaction, paymentId);
    const payment = await lockPayment(transaction, paymentId);
    if (!payment) throw new DomainError('not_found');
    const words = {
      relationship: relationship.trim(),
      source: source.trim(),
      identity: identity.trim(),
      approved_by: approved_by.trim(),
    };
    const { payerCheck } = payment;
    if (payerCheck && isSameCheck(payerCheck, words)) return;
    if (!awaitsPayerCheck(payment)) throw notPossible(whyNoCheck(payment));
    const { clearedAt } = payment;
    const allocation =
      clearedAt && payment.allocation?.cause === 'payer_unchecked'
        ? await allocateSearchPayment(transaction, payment, {
            clearsOn: payment.clearsOn ?? londonDay(clearedAt),
            awaitsPayerCheck: false,
            at: now,
          })
        : null;
    await updatePayment(transaction, paymentId, {
      lastCause: 'payer_checked',
      ...(allocation ? { allocation } : {}),
      payerCheck: {
        ...words,
        recorded_by: nameOf(staff),
        recorded_by_staff: staff.id,
        recorded_at: now.toISOString(),
      },
    });
    await recordAudit(transaction, {
      occurredAt: now,
      ...byStaff(caller),
      action: 'payment.payer_checked',
      subject: { kind: 'payment', id: paymentId },
    });
  });
}

/** Searches are always locked before their payment: another order could deadlock. */
async function lockSearchOf(transaction: Transaction, paymentId: string): Promise<void> {
  const payment = await findPayment(transaction, paymentId);
  if (payment?.caseSearchId) await payableSearches.lockById(transaction, payment.caseSearchId);
}

const isSameCheck = (
  stored: PayerCheck,
  words: Pick<PayerCheck, 'relationship' | 'source' | 'identity' | 'approved_by'>,
): boolean =>
  stored.relationship === words.relationship &&
  stored.source === words.source &&
  stored.identity === words.identity &&
  stored.approved_by === words.approved_by;

function whyNoCheck({ ownCard, paidAt, payerCheck }: PaymentRow): string {
  if (payerCheck) return `${payerCheck.recorded_by} has recorded the check of this payer already.`;
  if (ownCard !== false) return 'The client paid this with their own card or from their own account.';
  return paidAt === null ? 'This payment is not paid yet.' : 'None of the money of this payment is left.';
}

/**
 * Names the matter of a payment whose client named none. Idempotent for the same matter.
 * @throws DomainError `not_found`, `invalid_input` (no matter of its case), `edit_not_possible`
 */
export async function nameMatter(
  { database, clock }: Pick<PaymentDependencies, 'database' | 'clock'>,
  paymentId: string,
  matterId: string,
  caller: DeskCaller,
): Promise<void> {
  if (!isId(paymentId)) throw new DomainError('not_found');
  await runTransaction(database, async (transaction) => {
    const payment = await lockPayment(transaction, paymentId);
    if (!payment) throw new DomainError('not_found');
    if (payment.matterId === matterId) return;
    if (payment.matterId !== null) throw notPossible('This payment belongs to another matter already.');
    const matters = await findMattersToName(transaction, paymentId);
    if (matters.length === 0) throw notPossible('This payment needs no matter.');
    const matter = matters.find(({ id }) => id === matterId);
    if (!matter) throw invalidInput('matter_id', 'must be a matter of this case');
    await updatePayment(transaction, paymentId, { lastCause: 'matter_named', matterId });
    await recordAudit(transaction, {
      occurredAt: clock(),
      ...byStaff(caller),
      action: 'payment.matter_named',
      subject: { kind: 'payment', id: paymentId },
      after: { matter: matter.reference },
    });
  });
}

/**
 * Emails a payment link to a client, or to each client of a case.
 * @throws DomainError
 */
export async function sendLinkAtDesk(
  dependencies: PaymentDependencies,
  { search, bill, other, client, key }: Body<'POST /staff/payment-links'>,
  caller: DeskCaller,
): Promise<SentLink[]> {
  const targets: LinkRequest['target'][] = [
    ...(search === undefined ? [] : [{ kind: 'search', reference: search } as const]),
    ...(bill === undefined ? [] : [{ kind: 'bill', reference: bill } as const]),
    ...(other ? [toOtherTarget(other)] : []),
  ];
  const [target] = targets;
  if (!target || targets.length > 1) {
    throw new DomainError('link_not_possible', {
      message: 'Choose one thing to pay for: a search, a bill or other money.',
    });
  }
  if (target.kind === 'other' && target.category === 'legal_fees') {
    throw new DomainError('link_not_possible', {
      message: 'Legal fees are paid for a bill: choose the bill.',
    });
  }
  await requireOpen(dependencies);
  const request = { target, clientReference: client ?? null, key };
  await audit(dependencies, { name: 'link', ...request }, caller);
  return explainUnavailable(() => sendLink(dependencies, request));
}

/** Withdraws a payment link. @throws DomainError `not_found`, `link_not_possible` */
export const withdrawLinkAtDesk = (
  dependencies: PaymentDependencies,
  linkId: string,
  caller: DeskCaller,
): Promise<void> => explainUnavailable(() => withdrawLink(dependencies, linkId, byStaff(caller)));

const toOtherTarget = ({
  case: caseReference,
  ...other
}: NonNullable<Body<'POST /staff/payment-links'>['other']>) =>
  ({ kind: 'other', caseReference, ...other }) as const;

/** The name of a member as it is recorded. */
export const nameOf = ({ name, email }: SignedInStaff): string => name ?? email;

const audit = (
  dependencies: PaymentDependencies,
  command: Parameters<typeof auditPaymentsCommand>[1],
  caller: DeskCaller,
): Promise<void> => auditPaymentsCommand(dependencies, command, byStaff(caller));

async function requirePayment({ database }: PaymentDependencies, id: string): Promise<void> {
  if (!isId(id) || !(await findPayment(database, id))) throw new DomainError('not_found');
}

async function requireRefund({ database }: PaymentDependencies, id: string): Promise<RefundRow> {
  const row = isId(id) ? await findRefund(database, id) : undefined;
  if (!row) throw new DomainError('not_found');
  return row;
}

/** Payments that a recovery restores may have been refunded since the backup. */
async function requireOpen({ database }: PaymentDependencies): Promise<void> {
  const { pausedReason } = await readContinuity(database);
  if (pausedReason === null) return;
  throw new DomainError('payments_paused', {
    message: `Payments are paused: ${pausedReason}. Nothing was done. Run “keyturn payments recover” first.`,
  });
}

/** Makes an approved refund. If the provider does not answer, the refund stays approved, and a job submits it. */
async function submitOrLeave(dependencies: PaymentDependencies, refund: RefundRow): Promise<RefundRow> {
  if (refund.status !== 'approved') return refund;
  try {
    return await submitRefund(dependencies, refund.id);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    return (await findRefund(dependencies.database, refund.id)) ?? refund;
  }
}

/**
 * Runs the work, and explains to staff that the provider did not answer.
 * @param whenUnavailable the message if the provider does not answer
 */
async function explainUnavailable<Result>(
  work: () => Promise<Result>,
  whenUnavailable = 'The payment provider doesn’t answer. Reload the page to see what was done, and try again later.',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IntentNotFound) {
      throw new DomainError('provider_unavailable', {
        message: 'The provider has no intent with the id that is stored for this payment.',
      });
    }
    const isUnavailable =
      error instanceof ProviderUnavailable ||
      (error instanceof DomainError && unavailableCodes.includes(error.code));
    if (isUnavailable) throw new DomainError('provider_unavailable', { message: whenUnavailable });
    throw error;
  }
}

/** The original messages are for clients. */
const unavailableCodes: ErrorCode[] = ['provider_unavailable', 'payment_being_checked'];
