import { and, eq, inArray, isNotNull, isNull, notExists, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';
import { payments } from '../../platform/payment-tables.ts';
import { caseSearches, documentReads, documents, matters, tasks } from '../../platform/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';

/** Pence, and a number of documents. */
export interface CaseSums {
  /** Searches that await payment and have none that succeeded, nor one that a person has to look at. */
  searchesDue: number;
  /** Open tasks to pay something other than a search. */
  tasksDue: number;
  /** Taken by card here, less what was given back. */
  paidHere: number;
  /** Searches that the firm has told us are paid, where the payment was not made here. */
  paidElsewhere: number;
  /** For this client; of each document only its latest version. */
  unreadDocuments: number;
}

/** What a case comes to, in one statement. */
export async function readSums(connection: Connection, of: OwnCase): Promise<CaseSums> {
  const ofCase = ownCase(connection, of);
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
    // What a person has to look at is due to nobody before they have.
    .leftJoin(
      payments,
      and(
        eq(payments.caseSearchId, caseSearches.id),
        // A search's payments are its case's: said here so that the look-up stays within it.
        inArray(payments.caseId, ofCase),
        or(taken, isNotNull(payments.reviewReason)),
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
      and(eq(documentReads.documentId, documents.id), eq(documentReads.clientId, of.clientId)),
    )
    .where(
      and(
        inArray(documents.matterId, matterIds),
        isNull(documentReads.readAt),
        notExists(
          // A newer version is in the same case: said here so that the look-up stays within it.
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

/** A sum of integers is a bigint: its text becomes a number, which is exact far beyond any case's money. */
const total = (pence: SQL, condition: SQL = sql`true`) =>
  sql`coalesce(sum(${pence}) filter (where ${condition}), 0)`.mapWith(Number);
