import { eq } from 'drizzle-orm';
import type { PaymentDependencies } from '../payments/payment-dependencies.ts';
import type { RefundRow } from '../payments/records/rows.ts';
import { storeRefundApproval, storeRefundRequest } from '../payments/refunds/request-refund.ts';
import { submitRefund } from '../payments/refunds/submit-refund.ts';
import type { Database } from '../platform/database.ts';
import { staff } from '../schema/tables/staff-tables.ts';
import { buildStaff } from './serve-staff.ts';

/** Finds the member of finance with this name in a test’s database, or adds them. */
async function findMember(database: Database, name: string): Promise<{ id: string }> {
  const [member] = await database.select({ id: staff.id }).from(staff).where(eq(staff.name, name)).limit(1);
  return member ?? buildStaff({ database }, { role: 'finance', name, withFactor: false });
}

/**
 * Refunds a payment as a member of finance does at the desk, and submits the refund unless it waits for a second person.
 * @throws DomainError; ProviderUnavailable
 */
export async function refundAsMember(
  by: PaymentDependencies,
  {
    member = 'Joel Adeyemi',
    ...request
  }: { paymentId: string; amount: number; key?: string | null; note?: string; member?: string },
): Promise<RefundRow> {
  const { id } = await findMember(by.database, member);
  const { refund } = await storeRefundRequest(by, {
    reason: 'requested_by_customer',
    note: 'Not needed',
    key: null,
    ...request,
    requestedBy: member,
    staff: { id, role: 'finance' },
  });
  return refund.status === 'approved' ? submitRefund(by, refund.id) : refund;
}

/**
 * Approves a refund as a member of finance does at the desk, and submits it.
 * @throws DomainError; ProviderUnavailable
 */
export async function approveAsMember(
  by: PaymentDependencies,
  refundId: string,
  member = 'Dana Price',
): Promise<RefundRow> {
  const { id } = await findMember(by.database, member);
  const approved = await storeRefundApproval(by, {
    refundId,
    approvedBy: member,
    staff: { id, role: 'finance' },
  });
  return approved.status === 'approved' ? submitRefund(by, refundId) : approved;
}
