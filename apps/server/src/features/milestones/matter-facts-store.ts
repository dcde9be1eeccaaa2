import { and, asc, eq, inArray, isNotNull, ne, notExists, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';
import { payments } from '../../platform/tables/payment-tables.ts';
import {
  caseClients,
  caseSearches,
  clients,
  documentReads,
  documentSignatures,
  documents,
  tasks,
} from '../../platform/tables/tables.ts';
import type { DocumentFacts, MatterFacts, NamedClient, ReportFacts, SearchFacts } from './waiting-line.ts';

/* Reads the facts behind the waiting-for line. The caller has checked that the client is on the case. */

/** Reads the clients of a case. */
export const findCaseClients = (connection: Connection, caseId: string): Promise<NamedClient[]> =>
  connection
    .select({ id: clients.id, firstName: clients.firstName, lastName: clients.lastName })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .where(eq(caseClients.caseId, caseId))
    .orderBy(asc(clients.reference));

/** Reads the searches of matters that are not cancelled, by matter, in the firm's order. */
export async function findSearchFacts(
  connection: Connection,
  matterIds: string[],
): Promise<Map<string, SearchFacts[]>> {
  const rows = await connection
    .select({ search: caseSearches, payment: payments })
    .from(caseSearches)
    .leftJoin(
      payments,
      and(
        eq(payments.caseSearchId, caseSearches.id),
        or(eq(payments.status, 'processing'), isNotNull(payments.reviewReason)),
      ),
    )
    .where(and(inArray(caseSearches.matterId, matterIds), ne(caseSearches.status, 'cancelled')))
    .orderBy(asc(caseSearches.position), asc(caseSearches.id));
  // A cancelled payment can be under review next to a newer one.
  const bySearch = new Map<string, { matterId: string; facts: SearchFacts }>();
  for (const { search, payment } of rows) {
    const isInReview = payment?.reviewReason != null;
    const pendingPayment =
      payment && search.status === 'awaiting_payment'
        ? { heldBy: isInReview ? ('firm' as const) : ('bank' as const), since: payment.updatedAt }
        : null;
    const before = bySearch.get(search.id)?.facts.pendingPayment;
    if (before?.heldBy === 'firm') continue;
    const { supplier, createdAt, paidAt, orderedAt, returnedAt } = search;
    const status = search.status as SearchFacts['status'];
    const facts = { supplier, status, createdAt, paidAt, orderedAt, returnedAt, pendingPayment };
    bySearch.set(search.id, { matterId: search.matterId, facts });
  }
  return groupBy([...bySearch.values()].map(({ matterId, facts }) => [matterId, facts]));
}

/** Reads the documents of matters that need signatures, in their latest versions, by matter. */
export async function findDocumentFacts(
  connection: Connection,
  matterIds: string[],
): Promise<Map<string, DocumentFacts[]>> {
  const newer = alias(documents, 'newer');
  const rows = await connection
    .select({ document: documents, signature: documentSignatures, task: tasks })
    .from(documents)
    .leftJoin(documentSignatures, eq(documentSignatures.documentId, documents.id))
    .leftJoin(
      tasks,
      and(eq(tasks.documentId, documents.id), eq(tasks.kind, 'sign_document'), eq(tasks.status, 'done')),
    )
    .where(
      and(
        inArray(documents.matterId, matterIds),
        isNotNull(documents.signing),
        notExists(
          connection.select({ id: newer.id }).from(newer).where(eq(newer.supersedesId, documents.id)),
        ),
      ),
    );
  const byId = new Map<string, { matterId: string; facts: DocumentFacts }>();
  for (const { document, signature, task } of rows) {
    const { id, matterId, sharedAt, signing, receivedOn } = document;
    const known = byId.get(id) ?? {
      matterId,
      facts: {
        sharedAt,
        isOnPaper: signing !== 'simple',
        isClosed: receivedOn !== null || task !== null,
        receivedAt: receivedOn === null ? null : new Date(`${receivedOn}T00:00:00Z`),
        signatures: [],
      },
    };
    const { signatures } = known.facts;
    if (signature && !signatures.some(({ clientId }) => clientId === signature.clientId)) {
      signatures.push({ clientId: signature.clientId, signedAt: signature.signedAt });
    }
    byId.set(id, known);
  }
  return groupBy([...byId.values()].map(({ matterId, facts }) => [matterId, facts]));
}

/** Reads the reports of matters that clients have been asked to read, by matter. */
export async function findReportFacts(
  connection: Connection,
  matterIds: string[],
): Promise<Map<string, ReportFacts[]>> {
  const rows = await connection
    .select({ document: documents, read: documentReads })
    .from(tasks)
    .innerJoin(documents, eq(documents.id, tasks.documentId))
    .leftJoin(documentReads, eq(documentReads.documentId, documents.id))
    .where(
      and(
        inArray(documents.matterId, matterIds),
        eq(documents.group, 'reports'),
        eq(tasks.kind, 'read_document'),
        eq(tasks.status, 'open'),
      ),
    );
  const byId = new Map<string, { matterId: string; facts: ReportFacts }>();
  for (const { document, read } of rows) {
    const { id, matterId, sharedAt } = document;
    const known = byId.get(id) ?? { matterId, facts: { sharedAt, readBy: [] } };
    if (read) known.facts.readBy.push({ clientId: read.clientId, readAt: read.readAt });
    byId.set(id, known);
  }
  return groupBy([...byId.values()].map(({ matterId, facts }) => [matterId, facts]));
}

function groupBy<Member>(pairs: [matterId: string, member: Member][]): Map<string, Member[]> {
  const groups = new Map<string, Member[]>();
  for (const [matterId, member] of pairs) groups.set(matterId, [...(groups.get(matterId) ?? []), member]);
  return groups;
}

/** Reads the facts that decide the waiting-for lines of these matters. */
export async function findMatterFacts(
  connection: Connection,
  { caseId, matterIds }: { caseId: string; matterIds: string[] },
): Promise<(matterId: string) => Omit<MatterFacts, 'matterType' | 'parties'>> {
  if (matterIds.length === 0) return () => ({ clients: [], searches: [], documents: [], reports: [] });
  const [everyone, searches, papers, reports] = await Promise.all([
    findCaseClients(connection, caseId),
    findSearchFacts(connection, matterIds),
    findDocumentFacts(connection, matterIds),
    findReportFacts(connection, matterIds),
  ]);
  return (matterId) => ({
    clients: everyone,
    searches: searches.get(matterId) ?? [],
    documents: papers.get(matterId) ?? [],
    reports: reports.get(matterId) ?? [],
  });
}
