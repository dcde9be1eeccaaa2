import { type CaseClient, type CaseSearch, openPaymentStatuses } from '@keyturn/contract';
import { and, asc, eq, exists, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { findActiveCase } from '../../platform/active-case.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { payments } from '../../platform/tables/payment-tables.ts';
import {
  caseClients,
  caseSearches,
  clients,
  conveyancingCases,
  matters,
} from '../../platform/tables/tables.ts';

/** Reads the searches of the client's active case, in the firm's order. */
export async function readCaseSearches(connection: Connection, clientId: string): Promise<CaseSearch[]> {
  const activeCase = await findActiveCase(connection, clientId);
  if (!activeCase) return [];
  return select(connection, clientId, eq(matters.caseId, activeCase.id));
}

/**
 * Reads one search of any of the client's cases.
 * @throws DomainError `not_found`, the same for an unknown search and another client's
 */
export async function readCaseSearch(
  connection: Connection,
  clientId: string,
  id: string,
): Promise<CaseSearch> {
  const [caseSearch] = isId(id) ? await select(connection, clientId, eq(caseSearches.id, id)) : [];
  if (!caseSearch) throw new DomainError('not_found');
  return caseSearch;
}

async function select(connection: Connection, clientId: string, condition: SQL): Promise<CaseSearch[]> {
  const rows = await connection
    .select({
      caseSearch: caseSearches,
      payment: { id: payments.id, status: payments.status, disputeStatus: payments.disputeStatus },
      payer: { id: payers.id, first_name: payers.firstName },
      isUnderReview: underReview(connection),
      caseStatus: conveyancingCases.status,
    })
    .from(caseSearches)
    .innerJoin(matters, eq(matters.id, caseSearches.matterId))
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, matters.caseId))
    .innerJoin(caseClients, and(eq(caseClients.caseId, matters.caseId), eq(caseClients.clientId, clientId)))
    .leftJoin(
      payments,
      and(
        eq(payments.caseSearchId, caseSearches.id),
        ne(payments.status, 'cancelled'),
        isNull(payments.searchReleasedAt),
      ),
    )
    .leftJoin(payers, eq(payers.id, payments.confirmedBy))
    .where(condition)
    .orderBy(asc(matters.position), asc(caseSearches.position), asc(caseSearches.id));
  return rows.map(asCaseSearch);
}

/** True for a cancelled payment under review too, although it no longer reserves the search. */
const underReview = (connection: Connection) =>
  sql<boolean>`${exists(
    connection
      .select({ id: reviewed.id })
      .from(reviewed)
      .where(and(eq(reviewed.caseSearchId, caseSearches.id), isNotNull(reviewed.reviewReason))),
  )}`;

const reviewed = alias(payments, 'reviewed');
const payers = alias(clients, 'payers');

type Row = {
  caseSearch: typeof caseSearches.$inferSelect;
  payment: Pick<typeof payments.$inferSelect, 'id' | 'status' | 'disputeStatus'> | null;
  payer: CaseClient | null;
  isUnderReview: boolean;
  caseStatus: (typeof conveyancingCases.$inferSelect)['status'];
};

function asCaseSearch({ caseSearch, payment, payer, isUnderReview, caseStatus }: Row): CaseSearch {
  return {
    id: caseSearch.id,
    created_at: caseSearch.createdAt.toISOString(),
    updated_at: caseSearch.updatedAt.toISOString(),
    matter_id: caseSearch.matterId,
    code: caseSearch.code,
    name: caseSearch.name,
    supplier: caseSearch.supplier,
    explanation: caseSearch.explanation,
    price: {
      net: caseSearch.priceNet,
      vat_rate: caseSearch.priceVatRate,
      vat: caseSearch.priceVat,
      gross: caseSearch.priceGross,
    },
    refund_rule: caseSearch.refundRule,
    required_by: caseSearch.requiredBy,
    status: caseSearch.status,
    expected_on: caseSearch.expectedOn,
    paid_at: caseSearch.paidAt?.toISOString() ?? null,
    ordered_at: caseSearch.orderedAt?.toISOString() ?? null,
    returned_at: caseSearch.returnedAt?.toISOString() ?? null,
    valid_until: caseSearch.validUntil,
    delayed_reason: caseSearch.delayedReason,
    outcome: caseSearch.outcome,
    outcome_summary: caseSearch.outcomeSummary,
    result_document_id: caseSearch.resultDocumentId,
    payment: payment && {
      id: payment.id,
      status: payment.status,
      payer,
      dispute: payment.disputeStatus && { status: payment.disputeStatus },
    },
    payable:
      caseSearch.status === 'awaiting_payment' &&
      caseSearch.priceGross > 0 &&
      caseStatus === 'active' &&
      !isUnderReview &&
      (payment === null || openPaymentStatuses.includes(payment.status)),
    under_review: isUnderReview,
  };
}
