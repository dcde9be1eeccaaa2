import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import * as tables from '../../schema/tables/tables.ts';
import type { WriterContext } from '../records/record-writer.ts';

/** Finds the non-cancelled payment of each search that has one. */
export async function findPaymentsOfSearches(transaction: Transaction, caseSearchIds: readonly string[]) {
  if (caseSearchIds.length === 0) return new Map<string, never>();
  const rows = await transaction
    .select({
      caseSearchId: payments.caseSearchId,
      id: payments.id,
      paidAt: payments.paidAt,
      isRefunded: sql<boolean>`${payments.status} = 'refunded'`,
    })
    .from(payments)
    .where(
      sql`${payments.caseSearchId} = any(${sql.param(caseSearchIds)}::uuid[])
        and ${payments.status} <> 'cancelled' and ${payments.searchReleasedAt} is null`,
    );
  return new Map(rows.map((row) => [row.caseSearchId ?? '', row]));
}

/**
 * Lets another payment pay for a search whose payment was fully refunded, opens the task to pay it again, and records it
 * in the case's history. The search is locked.
 */
export async function offerSearchAgain(
  { transaction, releaseSearch }: Pick<WriterContext<'searches'>, 'transaction' | 'releaseSearch'>,
  {
    caseId,
    caseSearchId,
    name,
    paymentId,
    at,
  }: { caseId: string; caseSearchId: string; name: string; paymentId: string; at: Date },
): Promise<void> {
  await releaseSearch(transaction, { paymentId, at });
  await transaction
    .update(tables.tasks)
    .set({ status: 'open', updatedAt: sql`now()` })
    .where(and(eq(tables.tasks.caseSearchId, caseSearchId), eq(tables.tasks.kind, 'pay_search')));
  const [installation] = await transaction
    .select({ firm: tables.installation.firm })
    .from(tables.installation);
  await transaction.insert(tables.historyEntries).values({
    id: newId(),
    caseId,
    occurredAt: at,
    category: 'payment',
    actor: installation?.firm?.name ?? 'Your conveyancer',
    summary: `We offered a refunded search again: ${name}`,
  });
}
