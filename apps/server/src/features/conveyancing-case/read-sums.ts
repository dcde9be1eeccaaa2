import { and, eq, inArray, isNotNull, isNull, notExists, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';
import { payments } from '../../platform/tables/payment-tables.ts';
import { caseSearches, documentReads, documents, matters, tasks } from '../../platform/tables/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';

/** Amounts in pence, and the number of unread documents. */
export interface CaseSums {
  /** Searches that await payment, without a successful payment or one under review. */
  searchesDue: number;
  /** Open tasks to pay for anything but a search. */
  tasksDue: number;
  /** Card payments made in Keyturn, less refunds. */
  paidHere: number;
  /** Searches that the firm reports as paid by another method. */
  paidElsewhere: number;
  /** Unread by this client; only the latest version of a document counts. */
  unreadDocuments: number;
}

/** Reads the amounts and the unread documents of a case in one statement. */
export async function readSums(connection: Connection, query: OwnCase): Promise<CaseSums> {
  const ofCase = ownCase(connection, query);
  const matterIds = connection
    .select({ id: matters.id })
    .from(matters)
    .where(inArray(matters.caseId, ofCase));
  const taken = inArray(payments.status, ['succeeded', 'partially_refunded', 'refunded']);

  const bySearch = connection
    .select({
      due: total(
        sql`${caseSearches.priceGross}`,
        sql`${caseSearches.status} = 'awaiting_payment' and ${payments.id} is null`,
      ).as('searches_due'),
      elsewhere: total(
        sql`${caseSearches.priceGross}`,
        sql`${caseSearches.paidAt} is not null and ${payments.id} is null`,
      ).as('paid_elsewhere'),
    })
    .from(caseSearches)
    // A search with a payment under review is not due until the review has ended.
    .leftJoin(
      payments,
      and(
        eq(payments.caseSearchId, caseSearches.id),
        // Redundant, but it lets PostgreSQL look up payments by case.
        inArray(payments.caseId, ofCase),
        or(and(taken, isNull(payments.searchReleasedAt)), isNotNull(payments.reviewReason)),
      ),
    )
    .where(inArray(caseSearches.matterId, matterIds))
    .as('by_search');
  const byPayment = connection
    .select({ here: total(sql`${payments.amount} - ${payments.refundedAmount}`).as('paid_here') })
    .from(payments)
    .where(and(inArray(payments.caseId, ofCase), taken))
    .as('by_payment');
  const byTask = connection
    .select({ due: total(sql`${tasks.amount}`).as('tasks_due') })
    .from(tasks)
    .where(and(inArray(tasks.caseId, ofCase), eq(tasks.kind, 'pay'), eq(tasks.status, 'open')))
    .as('by_task');
  const newer = alias(documents, 'newer');
  const byDocument = connection
    .select({ unread: sql<number>`count(*)::int`.as('unread') })
    .from(documents)
    .leftJoin(
      documentReads,
      and(eq(documentReads.documentId, documents.id), eq(documentReads.clientId, query.clientId)),
    )
    .where(
      and(
        inArray(documents.matterId, matterIds),
        isNull(documentReads.readAt),
        notExists(
          // Redundant, but it lets PostgreSQL look up newer versions by matter.
          connection
            .select({ id: newer.id })
            .from(newer)
            .where(and(inArray(newer.matterId, matterIds), eq(newer.supersedesId, documents.id))),
        ),
      ),
    )
    .as('by_document');

  const [sums] = await connection
    .select({
      searchesDue: bySearch.due,
      tasksDue: byTask.due,
      paidHere: byPayment.here,
      paidElsewhere: bySearch.elsewhere,
      unreadDocuments: byDocument.unread,
    })
    .from(bySearch)
    .crossJoin(byPayment)
    .crossJoin(byTask)
    .crossJoin(byDocument);
  return sums ?? { searchesDue: 0, tasksDue: 0, paidHere: 0, paidElsewhere: 0, unreadDocuments: 0 };
}

/** PostgreSQL sums integers as bigint, which arrives as text. A number is exact far beyond any case's money. */
const total = (pence: SQL, condition: SQL = sql`true`) =>
  sql`coalesce(sum(${pence}) filter (where ${condition}), 0)`.mapWith(Number);
