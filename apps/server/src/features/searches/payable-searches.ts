import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import {
  caseClients,
  caseSearches,
  conveyancingCases,
  matters,
  tasks,
} from '../../platform/tables/tables.ts';

/** Implements the `PayableSearches` port of payments; wired in `composition/`. */
export const payableSearches = {
  lock: async (transaction: Transaction, query: { clientId: string; caseSearchId: string }) => {
    const [row] = await transaction
      .select({ search: caseSearches, caseId: matters.caseId, caseStatus: conveyancingCases.status })
      .from(caseSearches)
      .innerJoin(matters, eq(matters.id, caseSearches.matterId))
      .innerJoin(conveyancingCases, eq(conveyancingCases.id, matters.caseId))
      .innerJoin(
        caseClients,
        and(eq(caseClients.caseId, matters.caseId), eq(caseClients.clientId, query.clientId)),
      )
      .where(eq(caseSearches.id, query.caseSearchId))
      .for('update', { of: caseSearches });
    if (!row) return null;
    const { search } = row;
    return {
      id: search.id,
      caseId: row.caseId,
      matterId: search.matterId,
      name: search.name,
      price: {
        net: search.priceNet,
        vat_rate: search.priceVatRate,
        vat: search.priceVat,
        gross: search.priceGross,
      },
      awaitsPayment:
        search.status === 'awaiting_payment' && search.priceGross > 0 && row.caseStatus === 'active',
    };
  },

  lockById: async (transaction: Transaction, caseSearchId: string) => {
    await transaction
      .select({ id: caseSearches.id })
      .from(caseSearches)
      .where(eq(caseSearches.id, caseSearchId))
      .for('update');
  },

  markPaid: async (transaction: Transaction, caseSearchId: string, paidAt: Date) => {
    const { rowCount } = await transaction
      .update(caseSearches)
      .set({ status: 'paid', paidAt, updatedAt: sql`now()` })
      .where(and(eq(caseSearches.id, caseSearchId), eq(caseSearches.status, 'awaiting_payment')));
    await transaction
      .update(tasks)
      .set({ status: 'done', updatedAt: sql`now()` })
      .where(
        and(eq(tasks.caseSearchId, caseSearchId), eq(tasks.kind, 'pay_search'), eq(tasks.status, 'open')),
      );
    return rowCount === 1;
  },
};
