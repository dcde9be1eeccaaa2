import type { CaseFilter, CaseView } from '@keyturn/contract/staff';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId, newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { caseViews } from '../../schema/tables/desk-tables.ts';
import { staff } from '../../schema/tables/staff-tables.ts';

const maxViews = 50;

const columns = { id: caseViews.id, name: caseViews.name, filter: caseViews.filter };

/** Lists the views of a member by name. */
export const listCaseViews = (connection: Connection, staffId: string): Promise<CaseView[]> =>
  connection
    .select(columns)
    .from(caseViews)
    .where(eq(caseViews.staffId, staffId))
    .orderBy(asc(sql`lower(${caseViews.name})`));

/**
 * Saves a view of a member. A view of theirs with the same name, in any case, is replaced.
 * @throws DomainError `too_many_views`
 */
export function saveCaseView(
  { database, clock }: { database: Database; clock: Clock },
  staffId: string,
  { name, filter }: { name: string; filter: CaseFilter },
): Promise<CaseView> {
  return runTransaction(database, async (transaction) => {
    // Without the lock, two concurrent views could both count as the last allowed one.
    await transaction.select({ id: staff.id }).from(staff).where(eq(staff.id, staffId)).for('update');
    const trimmed = name.trim();
    const sameName = and(eq(caseViews.staffId, staffId), sql`lower(${caseViews.name}) = lower(${trimmed})`);
    const [replaced] = await transaction
      .update(caseViews)
      .set({ name: trimmed, filter })
      .where(sameName)
      .returning(columns);
    if (replaced) return replaced;
    const [saved] = await transaction
      .insert(caseViews)
      .values({ id: newId(), staffId, name: trimmed, filter, createdAt: clock() })
      .returning(columns);
    const [views] = await transaction
      .select({ count: count() })
      .from(caseViews)
      .where(eq(caseViews.staffId, staffId));
    if (!saved || (views?.count ?? 0) > maxViews) throw new DomainError('too_many_views');
    return saved;
  });
}

/** @throws DomainError `not_found`, including for the view of another member */
export async function deleteCaseView(connection: Connection, staffId: string, id: string): Promise<void> {
  const deleted = isId(id)
    ? await connection
        .delete(caseViews)
        .where(and(eq(caseViews.id, id), eq(caseViews.staffId, staffId)))
        .returning({ id: caseViews.id })
    : [];
  if (deleted.length === 0) throw new DomainError('not_found');
}
