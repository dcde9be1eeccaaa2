import type { ListedRefund, StaffRefund } from '@keyturn/contract/staff';
import { desc, eq, ne } from 'drizzle-orm';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Connection } from '../../platform/database.ts';
import { payments, refunds } from '../../schema/tables/payment-tables.ts';
import { conveyancingCases } from '../../schema/tables/tables.ts';
import type { RefundRow } from '../records/rows.ts';

/** The member who reads refunds, which determines what they may do. */
export type RefundReader = Pick<SignedInStaff, 'id' | 'role'>;

/** Converts a refund to the contract's form. */
export function toStaffRefund(row: RefundRow, reader: RefundReader): StaffRefund {
  const isWaiting = row.status === 'awaiting_approval';
  const isOwn = row.requestedByStaff === reader.id;
  const isHandler = reader.role === 'handler';
  return {
    id: row.id,
    payment_id: row.paymentId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    amount: row.amount,
    status: row.status,
    reason: row.reason,
    note: row.note,
    money_state: row.moneyState,
    office: row.office,
    requested_by: row.requestedBy,
    approved_by: row.approvedBy,
    failure_reason: row.failureReason,
    provider_refund_id: row.providerRefundId,
    may_approve: isWaiting && !isHandler && !isOwn,
    may_reject: isWaiting && (!isHandler || isOwn),
  };
}

/** The number of listed refunds that are not waiting. */
const maxLatest = 50;

/** Lists the refunds that wait for a second person, oldest first, and the latest others. */
export async function listStaffRefunds(
  connection: Connection,
  reader: RefundReader,
): Promise<{ waiting: ListedRefund[]; latest: ListedRefund[] }> {
  const waiting = await selectRefunds(connection)
    .where(eq(refunds.status, 'awaiting_approval'))
    .orderBy(refunds.createdAt, refunds.id);
  const latest = await selectRefunds(connection)
    .where(ne(refunds.status, 'awaiting_approval'))
    .orderBy(desc(refunds.createdAt), desc(refunds.id))
    .limit(maxLatest);
  const toListed = ({ refund, payment, case: ofCase }: (typeof waiting)[number]): ListedRefund => ({
    ...toStaffRefund(refund, reader),
    payment: {
      description: payment.description,
      amount: payment.amount,
      receipt_number: payment.receiptNumber,
      case: ofCase,
    },
  });
  return { waiting: waiting.map(toListed), latest: latest.map(toListed) };
}

const selectRefunds = (connection: Connection) =>
  connection
    .select({
      refund: refunds,
      payment: {
        description: payments.description,
        amount: payments.amount,
        receiptNumber: payments.receiptNumber,
      },
      case: {
        id: conveyancingCases.id,
        reference: conveyancingCases.reference,
        title: conveyancingCases.title,
      },
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, payments.caseId))
    .$dynamic();
