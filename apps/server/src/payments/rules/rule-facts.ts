import { type OtherPaymentCategory, openPaymentStatuses, type PaymentPurpose } from '@keyturn/contract';
import type { PaymentRules } from '@keyturn/contract/staff';
import { type UnaskedFault, unaskedFault } from '@keyturn/format/payments/unasked-payments';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { literals } from '../../platform/reads/contract-json.ts';

/** Why something cannot be paid at the moment. */
export type PaymentObstacle = 'not_payable' | 'identity_not_checked';

interface OtherPaymentFacts {
  caseId: string;
  matterId: string | null;
  clientId: string;
  category: OtherPaymentCategory;
  /** Pence. */
  amount: number;
  /** The payment itself, if it exists already. */
  paymentId: string | null;
  now: Date;
}

/** Whether the firm had asked for the payment of the row `payment` when it was started. */
const wasAskedFor = sql`(exists (
    select from payment_links link
    where link.case_id = payment.case_id and link.client_id = payment.client_id and link.category = payment.category
      and link.amount = payment.amount and link.created_at <= payment.created_at)
  or exists (
    select from tasks task
    where task.case_id = payment.case_id and task.kind = 'pay' and task.amount = payment.amount
      and task.created_at <= payment.created_at))`;

/**
 * Checks a payment that is not for a search against the firm’s rules. It is asked for if a bill, a payment request to
 * this client, or an open task to pay of the case asks for it, and no other payment answers that.
 * @returns whether it comes after an identity check, and why it cannot be made if the firm has not asked for it
 */
export async function checkRules(
  connection: Connection,
  { caseId, matterId, clientId, category, amount, paymentId, now }: OtherPaymentFacts,
): Promise<{ awaitsIdentityCheck: boolean; unasked: UnaskedFault | null }> {
  const answers = (since: string) => sql`
    select from payments payment
    where payment.case_id = ${caseId} and payment.kind = 'other' and payment.amount = ${amount}::integer
      and payment.status <> 'cancelled' and payment.id is distinct from ${paymentId}::uuid
      and greatest(payment.created_at, payment.paid_at) > ${sql.raw(since)}`;
  const { rows } = await connection.execute<{
    awaits_identity_check: boolean;
    is_asked_for: boolean;
    unasked: PaymentRules['unasked'];
    of_day: number;
  }>(sql`
    select awaits_identity_check(${category}, ${caseId}, ${matterId}::uuid) as awaits_identity_check,
      firm_data_value('payment_rules') -> 'unasked' as unasked,
      exists (
        select from payment_links link
        where link.case_id = ${caseId} and link.client_id = ${clientId} and link.category = ${category}
          and link.amount = ${amount}::integer and link.withdrawn_at is null
          and not exists (${answers('link.created_at')} and payment.category = link.category))
      or exists (
        select from tasks task
        where task.case_id = ${caseId} and task.kind = 'pay' and task.status = 'open' and task.amount = ${amount}::integer
          and not exists (${answers('task.created_at')})) as is_asked_for,
      (select coalesce(sum(payment.amount), 0)::integer from payments payment
        where payment.case_id = ${caseId} and payment.category = ${category}
          and payment.id is distinct from ${paymentId}::uuid and not ${wasAskedFor}
          and (payment.status in (${literals(openPaymentStatuses)})
            or (payment.paid_at at time zone 'Europe/London')::date
              = (${now.toISOString()}::timestamptz at time zone 'Europe/London')::date)) as of_day`);
  const [row] = rows;
  if (!row) throw new Error('the statement has no answer');
  const { unasked, of_day: earlier } = row;
  return {
    awaitsIdentityCheck: row.awaits_identity_check,
    unasked:
      category === 'legal_fees' || row.is_asked_for
        ? null
        : unaskedFault({ upTo: unasked[category], amount, earlier }),
  };
}

/** @throws DomainError `invalid_input` for a payment that the firm has not asked for and does not accept */
export function checkUnasked(unasked: UnaskedFault | null): void {
  if (!unasked) return;
  const messages = [unasked.message];
  // Pages of release 0.2 show only a message about the amount.
  throw new DomainError('invalid_input', { errors: { [unasked.field]: messages, amount: messages } });
}

/** Whether what the firm wants to ask for comes after an identity check that is not done. */
export async function awaitsIdentityCheck(
  connection: Connection,
  { purpose, caseId, matterId }: { purpose: PaymentPurpose; caseId: string; matterId: string | null },
): Promise<boolean> {
  const { rows } = await connection.execute<{ awaits: boolean }>(
    sql`select awaits_identity_check(${purpose}, ${caseId}, ${matterId}::uuid) as awaits`,
  );
  return rows[0]?.awaits ?? false;
}
