import type { StaffCallData } from '@keyturn/contract/staff';
import { and, desc } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import {
  conditionsOf,
  isAfter,
  type PaymentFilter,
  selectStaffPayments,
  toStaffPayment,
} from './staff-payment.ts';

/**
 * Lists a page of payments, newest first. The cursor identifies the last payment of the previous page, so that a new one
 * neither repeats nor hides another.
 * @throws DomainError `invalid_input` for an invalid cursor
 */
export async function listPayments(
  connection: Connection,
  { limit = 50, cursor, ...filter }: PaymentFilter & { limit?: number; cursor?: string },
): Promise<StaffCallData<'GET /staff/payments'>> {
  const after = cursor === undefined ? undefined : isAfter(parseCursor(cursor));
  // Reads one more than requested, to know whether there is a next page.
  const rows = await selectStaffPayments(connection)
    .where(and(...conditionsOf(filter), after))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    payments: shown.map(toStaffPayment),
    next_cursor: last && rows.length > limit ? `${last.createdMicroseconds}.${last.payment.id}` : null,
  };
}

function parseCursor(text: string): { microseconds: string; id: string } {
  const [, microseconds, id] = /^(\d{1,17})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text) ?? [];
  if (microseconds === undefined || id === undefined) {
    throw new DomainError('invalid_input', { errors: { cursor: ['This is not a cursor of this list.'] } });
  }
  return { microseconds, id };
}
