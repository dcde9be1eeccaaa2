import { createHash } from 'node:crypto';
import type { RefundMoneyState, StaffRole } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import type { Transaction } from '../../platform/database.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { canBeOurs } from '../ports/intents.ts';
import type { RefundReason } from '../ports/refunds.ts';
import { findProviderOf } from '../provider/find-provider.ts';
import { allocatedLines } from '../records/allocated-lines.ts';
import { officeOfRefund } from '../records/money-parts.ts';
import { findPayment, lockPayment } from '../records/payments-store.ts';
import {
  leftOfLimit,
  leftToRefund,
  mayRequestRefund,
  needsSecondPerson,
  partsLeft,
  type RefundStaff,
  requestedOf,
} from '../records/refund-limits.ts';
import { hasRefundFailed } from '../records/refund-states.ts';
import { findRefund, findRefunds, insertRefund, refundKey, updateRefund } from '../records/refunds-store.ts';
import type { PaymentRow, RefundRow } from '../records/rows.ts';

export interface RefundRequest {
  paymentId: string;
  /** Pence. */
  amount: number;
  reason: RefundReason;
  /** Why, in the words of staff. */
  note: string;
  requestedBy: string;
  /** Where the money is; null if the person was not asked. */
  moneyState?: RefundMoneyState | null;
  /** How much of it is the firm's money, in pence; null if finance did not choose. */
  office?: number | null;
  /** The staff member who requests it at the desk; their role limits it. Null for a command. */
  staff: RefundStaff | null;
  /**
   * Requests with the same key are one request; by default, those of a payment with the same amount and reason are.
   */
  key: string | null;
}

export interface RequestedRefund {
  refund: RefundRow;
  /** Whether this request created the refund; otherwise an earlier one did. */
  isNew: boolean;
}

/** Returns the error for a refund that is not possible. @param message why, and what to do */
export const refundNotPossible = (message: string): DomainError =>
  new DomainError('refund_not_possible', { message });

/**
 * Stores the request for a refund, or finds an earlier one with the same key. A request of a member that needs no second person
 * is then `approved`, and must be submitted to the provider. One of a command always waits for a member’s approval.
 * @throws DomainError `refund_not_possible`, `refund_above_limit`; ProviderUnavailable; nothing was stored then
 */
export async function storeRefundRequest(
  dependencies: PaymentDependencies,
  request: RefundRequest,
): Promise<RequestedRefund> {
  // The provider may have unrecorded refunds, which reduce the refundable amount.
  await syncBeforeRefund(dependencies, request.paymentId);
  return runTransaction(dependencies.database, async (transaction) => {
    const payment = await lockPayment(transaction, request.paymentId);
    if (!payment) throw refundNotPossible('There is no such payment.');
    return findOrInsert(dependencies, transaction, payment, request);
  });
}

export interface RefundApproval {
  refundId: string;
  /** The name of the second person. */
  approvedBy: string;
  /** The staff member who approves it at the desk. */
  staff: RefundStaff;
}

/**
 * Stores a second person's approval of a request, which must then be submitted to the provider. Idempotent.
 * @throws DomainError `refund_not_possible`; ProviderUnavailable; nothing was stored then
 */
export async function storeRefundApproval(
  dependencies: PaymentDependencies,
  { refundId, approvedBy, staff }: RefundApproval,
): Promise<RefundRow> {
  const approver: Person = { name: approvedBy, staffId: staff.id };
  const { paymentId } = await findRequest(dependencies, refundId);
  await syncBeforeRefund(dependencies, paymentId);
  return runTransaction(dependencies.database, async (transaction) => {
    const payment = await lockPayment(transaction, paymentId);
    const rows = await findRefunds(transaction, [paymentId]);
    const row = rows.find(({ id }) => id === refundId);
    if (!payment || !row) throw refundNotPossible('There is no such refund.');
    const { requestedBy, approvedBy: formerName } = row;
    if (formerName !== null && isSamePerson({ name: formerName, staffId: row.approvedByStaff }, approver))
      return row;
    if (row.status !== 'awaiting_approval')
      throw refundNotPossible(`The refund does not wait for approval: it is ${row.status}.`);
    if (isSamePerson({ name: requestedBy ?? '', staffId: row.requestedByStaff }, approver))
      throw refundNotPossible(`${requestedBy} requested the refund: another person has to approve it.`);
    const others = rows.filter(({ id }) => id !== refundId);
    checkCanBeRefunded(payment, others, row.amount);
    return updateRefund(transaction, refundId, {
      status: 'approved',
      approvedBy,
      approvedByStaff: approver.staffId,
      lastCause: 'refund_approved',
    });
  });
}

/**
 * Rejects a request that waits for approval. Idempotent.
 * @param rejection.reason why, in the words of staff
 * @throws DomainError `refund_not_possible`
 */
export async function rejectRefund(
  dependencies: PaymentDependencies,
  { refundId, reason }: { refundId: string; reason: string },
): Promise<RefundRow> {
  const { paymentId } = await findRequest(dependencies, refundId);
  return runTransaction(dependencies.database, async (transaction) => {
    await lockPayment(transaction, paymentId);
    const row = await findRefund(transaction, refundId);
    if (row?.status === 'rejected') return row;
    if (row?.status !== 'awaiting_approval')
      throw refundNotPossible(`The refund does not wait for approval: it is ${row?.status}.`);
    return updateRefund(transaction, refundId, {
      status: 'rejected',
      failureReason: reason,
      lastCause: 'refund_rejected',
    });
  });
}

async function findRequest({ database }: PaymentDependencies, refundId: string): Promise<RefundRow> {
  const row = await findRefund(database, refundId);
  if (!row) throw refundNotPossible('There is no such refund.');
  return row;
}

async function syncBeforeRefund(dependencies: PaymentDependencies, paymentId: string): Promise<void> {
  const payment = await findPayment(dependencies.database, paymentId);
  if (!payment?.providerIntentId) return;
  const provider = findProviderOf(dependencies, payment);
  if (!provider)
    throw refundNotPossible(`${payment.provider} cannot be called without its keys. Set them first.`);
  const { intent } = await syncPaymentFromProvider({ ...dependencies, provider }, payment.providerIntentId, {
    name: 'refund_requested',
  });
  if (!canBeOurs(intent, dependencies.installationId))
    throw refundNotPossible(
      `The payment belongs to installation ${intent.installationId}, which this database is a copy of: refund it there.`,
    );
}

async function findOrInsert(
  dependencies: PaymentDependencies,
  transaction: Transaction,
  payment: PaymentRow,
  request: RefundRequest,
): Promise<RequestedRefund> {
  const { clock, alertOperator } = dependencies;
  const rows = await findRefunds(transaction, [payment.id]);
  const requestKey = request.key === null ? defaultKey(rows, request) : `key ${request.key}`;
  const existing = rows.find((row) => row.requestKey === requestKey);
  if (existing) {
    const isSamePart = (request.office ?? existing.office) === existing.office;
    if (existing.amount === request.amount && isSamePart) return { refund: existing, isNew: false };
    throw refundNotPossible(`The key belongs to a refund of ${formatMoney(existing.amount)}.`);
  }
  const { amount, reason, note, requestedBy, staff, moneyState = null, office = null } = request;
  checkCanBeRefunded(payment, rows, amount);
  const role = staff?.role ?? null;
  if (!mayRequestRefund(payment, role))
    throw refundNotPossible(
      'Someone else’s card paid this. Only someone in finance can refund it, after speaking to the nominated officer.',
    );
  const left = leftOfLimit(rows, dependencies, role);
  if (role === 'handler' && amount > left) {
    throw new DomainError('refund_above_limit', {
      message: `Handlers may request ${formatMoney(dependencies.handlerRefundPence)} of a payment, of which ${formatMoney(left)} is left. Please ask someone in finance to refund more.`,
    });
  }
  const part = partOfRefund(payment, rows, { amount, chosen: office, role });
  const needsApproval = staff === null || needsSecondPerson(rows, { amount, role }, dependencies);
  const now = clock();
  const id = newId();
  const refund = await insertRefund(transaction, {
    id,
    paymentId: payment.id,
    amount,
    status: needsApproval ? 'awaiting_approval' : 'approved',
    reason,
    note,
    requestedBy,
    requestedByStaff: staff?.id ?? null,
    requestedByRole: role,
    moneyState,
    office: part,
    requestKey,
    providerIdempotencyKey: refundKey(id),
    lastCause: 'refund_requested',
    createdAt: now,
    updatedAt: now,
  });
  if (needsApproval) {
    alertOperator('a refund waits for a second person', { refund: id, payment: payment.id, amount });
  }
  return { refund, isNew: true };
}

/**
 * Returns how much of a refund of a mixed payment is the firm's money, in pence: as finance chose, or by the rule.
 * @returns null for a payment that is not mixed
 * @throws DomainError `invalid_input`
 */
function partOfRefund(
  payment: PaymentRow,
  rows: readonly RefundRow[],
  { amount, chosen, role }: { amount: number; chosen: number | null; role: StaffRole | null },
): number | null {
  const left = partsLeft(payment, rows);
  if (!left) return null;
  if (chosen === null) {
    const lines = allocatedLines(payment.lines, payment.allocation);
    return officeOfRefund(lines, left, { amount, chosen });
  }
  const error =
    role === 'handler'
      ? 'Someone in finance decides whose money is refunded.'
      : chosen > amount
        ? `Enter at most ${formatMoney(amount)}, which is the whole refund.`
        : chosen > left.office
          ? `Only ${formatMoney(left.office)} of the firm’s money is left.`
          : amount - chosen > left.client &&
            `Only ${formatMoney(left.client)} of the client money is left, so enter at least ${formatMoney(amount - left.client)}.`;
  if (error) throw invalidInput('office', error);
  return chosen;
}

/**
 * Returns the key of a request without one, so that a repeated command makes no second refund unless the first has
 * failed.
 */
function defaultKey(rows: readonly RefundRow[], { amount, reason, note }: RefundRequest): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([amount, reason, note]))
    .digest('hex')
    .slice(0, 32);
  const earlier = rows.filter(({ requestKey }) => requestKey?.startsWith(`${hash}:`));
  const ended = earlier.filter(({ status }) => hasRefundFailed(status) || status === 'rejected');
  return `${hash}:${ended.length + 1}`;
}

/** @throws DomainError `refund_not_possible` if the payment cannot be refunded, or less than `amount` is left */
function checkCanBeRefunded(payment: PaymentRow, rows: readonly RefundRow[], amount: number): void {
  if (payment.paidAt === null)
    throw refundNotPossible(`The payment is ${payment.status}: there is no money to refund.`);
  if (payment.reviewReason !== null)
    throw refundNotPossible(`The payment is under review: ${payment.reviewReason}. Close the review first.`);
  if (payment.disputeStatus === 'open' || payment.disputeStatus === 'lost') {
    throw refundNotPossible(
      'The payer’s bank disputes the payment and has the money: a refund would pay it back twice.',
    );
  }
  if (payment.disputeStatus === 'inquiry') {
    throw refundNotPossible(
      'The payer’s bank is asking about the payment and may take the money back. Answer it at the provider, or refund the payment there, which ends the inquiry.',
    );
  }
  const left = leftToRefund(payment, rows);
  if (amount <= left) return;
  throw refundNotPossible(
    `Only ${formatMoney(left)} is left: of ${formatMoney(payment.amount)} paid, ${formatMoney(payment.refundedAmount)} is refunded and ${formatMoney(requestedOf(rows))} is requested.`,
  );
}

/** A person's name, with the id of the staff member if they acted at the desk. */
interface Person {
  name: string;
  staffId: string | null;
}

const isSamePerson = (a: Person, b: Person): boolean =>
  a.staffId !== null && b.staffId !== null
    ? a.staffId === b.staffId
    : normalise(a.name) === normalise(b.name);
const normalise = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();
