import { type TodayItemState, type TodayKindName, todayKinds } from '@keyturn/contract/staff';
import { addDays, londonDay } from '@keyturn/format/london-time';
import { and, eq, sql } from 'drizzle-orm';
import type { AuditSubjectKind } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { deskItems } from '../../schema/tables/desk-tables.ts';
import { staff } from '../../schema/tables/staff-tables.ts';
import { itemsWithState } from './read-today.ts';

export interface ItemChange {
  occasion: string;
  version: number;
  assigned_to?: string | null;
  snoozed_until?: string | null;
  is_done?: boolean;
}

interface ChangedBy {
  member: Pick<SignedInStaff, 'id' | 'email' | 'name'>;
  address: string;
}

/** The maximum time for which an item can be hidden. */
const maxSnoozeDays = 366;

/**
 * Assigns an item, hides it until a day, or marks it as done. An assignment is audited, because it says who is
 * responsible; the row itself says who last changed the rest.
 * @param kind one that the member’s role sees
 * @throws DomainError `item_changed` if the item no longer exists or someone changed it; `invalid_input`
 */
export async function changeItem(
  { database, clock }: { database: Database; clock: Clock },
  { kind, id, change }: { kind: TodayKindName; id: string; change: ItemChange },
  by: ChangedBy,
): Promise<TodayItemState> {
  const now = clock();
  checkChange(kind, change, londonDay(now));
  return runTransaction(database, async (transaction) => {
    const current = isId(id) ? await findItem(transaction, kind, id, now) : null;
    if (!current) throw new DomainError('item_changed');
    if (current.occasion !== change.occasion || current.version !== change.version)
      throw new DomainError('item_changed');
    const assigned =
      change.assigned_to === undefined
        ? current.assigned_to
        : await findAssignee(transaction, kind, change.assigned_to);
    const decided = {
      occasion: change.occasion,
      assignedTo: assigned?.id ?? null,
      snoozedUntil: change.snoozed_until === undefined ? current.snoozed_until : change.snoozed_until,
      doneAt: (change.is_done ?? current.is_done) ? now : null,
      changedBy: by.member.id,
      changedAt: now,
    };
    const [stored] = await transaction
      .insert(deskItems)
      .values({ kind, subjectId: id, version: 1, ...decided })
      .onConflictDoUpdate({
        target: [deskItems.kind, deskItems.subjectId],
        set: { ...decided, version: sql`${deskItems.version} + 1` },
        setWhere: eq(deskItems.version, change.version),
      })
      .returning();
    if (!stored) throw new DomainError('item_changed');
    if (current.assigned_to?.id !== assigned?.id)
      await auditAssignment(transaction, { kind, id, now, by, before: current.assigned_to, after: assigned });
    return {
      version: stored.version,
      assigned_to: assigned,
      snoozed_until: stored.snoozedUntil,
      is_done: stored.doneAt !== null,
    };
  });
}

function checkChange(kind: TodayKindName, { is_done, snoozed_until }: ItemChange, today: string): void {
  if (is_done !== undefined && todayKinds[kind].endedBy !== 'staff')
    throw invalidInput('is_done', 'this item disappears once it has been dealt with');
  if (typeof snoozed_until !== 'string') return;
  if (snoozed_until <= today || snoozed_until > addDays(today, maxSnoozeDays))
    throw invalidInput('snoozed_until', 'must be a day after today, within a year');
}

type FoundItem = {
  occasion: string;
  version: number;
  assigned_to: { id: string; name: string } | null;
  snoozed_until: string | null;
  is_done: boolean;
};

async function findItem(
  transaction: Transaction,
  kind: TodayKindName,
  id: string,
  now: Date,
): Promise<FoundItem | null> {
  const { rows } = await transaction.execute<FoundItem>(sql`
    select occasion, version, snoozed_until::text, is_done,
      case when assigned_to is not null then json_build_object('id', assigned_to, 'name', assigned_name) end as assigned_to
    from (${itemsWithState([kind], now, sql`${id}::uuid`)}) item`);
  return rows[0] ?? null;
}

/** Finds the active member to assign an item to; null for no one. @throws DomainError `invalid_input` for one who could not see it */
async function findAssignee(transaction: Transaction, kind: TodayKindName, id: string | null) {
  if (id === null) return null;
  const [member] = isId(id)
    ? await transaction
        .select({ id: staff.id, name: staff.name, role: staff.role })
        .from(staff)
        .where(and(eq(staff.id, id), eq(staff.state, 'active')))
    : [];
  if (!member) throw invalidInput('assigned_to', 'must be an active staff member');
  const roles: readonly string[] = todayKinds[kind].roles;
  if (!roles.includes(member.role)) throw invalidInput('assigned_to', 'their role doesn’t include this');
  return { id: member.id, name: member.name ?? '' };
}

const auditSubjects: Record<TodayKindName, AuditSubjectKind> = {
  promise_missed: 'case',
  promise_due: 'case',
  search_to_order: 'search',
  search_expiring: 'case',
  document_signed: 'document',
  task_overdue: 'task',
  paper_awaited: 'document',
  invitation_expired: 'client',
  address_not_restored: 'client',
  payment_review: 'payment',
  payer_check: 'payment',
  payment_matter: 'payment',
  payout_failed: 'payment',
  refund_approval: 'refund',
  refund_failed: 'refund',
  refund_underfunded: 'refund',
  fraud_warning: 'payment',
  provider_review: 'payment',
  dispute_open: 'dispute',
  bill_overdue: 'bill',
};

const auditAssignment = (
  transaction: Transaction,
  {
    kind,
    id,
    now,
    by: { member, address },
    before,
    after,
  }: {
    kind: TodayKindName;
    id: string;
    now: Date;
    by: ChangedBy;
    before: { id: string } | null;
    after: { id: string } | null;
  },
) =>
  recordAudit(transaction, {
    occurredAt: now,
    actor: { kind: 'staff', id: member.id, name: member.name ?? member.email },
    action: 'desk.item_assigned',
    subject: { kind: auditSubjects[kind], id },
    address,
    before: { item: kind, assigned_to: before?.id ?? null },
    after: { item: kind, assigned_to: after?.id ?? null },
  });
