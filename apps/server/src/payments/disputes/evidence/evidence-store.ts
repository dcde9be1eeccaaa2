import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { paymentChanges, paymentMails } from '../../../schema/tables/payment-tables.ts';
import {
  caseSearches,
  clients,
  documentReads,
  documents,
  knownDevices,
  matters,
  sessions,
} from '../../../schema/tables/tables.ts';
import { findProviderRefunds } from '../../records/refunds-store.ts';
import type { DisputeRow, PaymentRow } from '../../records/rows.ts';

/** The SQL of evidence packs. It only reads. */

/** Milliseconds before and after the payment for which accesses are listed. */
const accessWindow = 30 * 24 * 3_600_000;

/** All data about a disputed payment. */
export type EvidenceRecords = Awaited<ReturnType<typeof findEvidence>>;

export async function findEvidence(connection: Connection, dispute: DisputeRow, payment: PaymentRow) {
  const payerId = payment.confirmedBy ?? payment.clientId;
  const paidAt = payment.paidAt ?? payment.createdAt;
  const around = {
    clientId: payerId,
    from: new Date(paidAt.getTime() - accessWindow),
    to: new Date(paidAt.getTime() + accessWindow),
  };
  return {
    dispute,
    payment,
    payerEmail: await findEmail(connection, payerId),
    changes: await connection
      .select()
      .from(paymentChanges)
      .where(eq(paymentChanges.paymentId, payment.id))
      .orderBy(asc(paymentChanges.id)),
    mails: await connection
      .select()
      .from(paymentMails)
      .where(eq(paymentMails.paymentId, payment.id))
      .orderBy(asc(paymentMails.writtenAt)),
    refunds: await findProviderRefunds(connection, [payment.id]),
    search: await findSearch(connection, payment, payerId),
    signIns: await findSignIns(connection, around),
    devices: await findDevices(connection, around),
    reads: await findReads(connection, { ...around, caseId: payment.caseId }),
  };
}

async function findEmail(connection: Connection, clientId: string): Promise<string | null> {
  const [client] = await connection
    .select({ email: clients.email })
    .from(clients)
    .where(eq(clients.id, clientId));
  return client?.email ?? null;
}

/** Finds the search that was paid for, its result, and when the payer first read that. */
async function findSearch(connection: Connection, { caseSearchId }: PaymentRow, payerId: string) {
  if (caseSearchId === null) return null;
  const [row] = await connection
    .select({ search: caseSearches, result: documents, readAt: documentReads.readAt })
    .from(caseSearches)
    // The payer has not got a result that the firm has not reviewed.
    .leftJoin(
      documents,
      and(eq(documents.id, caseSearches.resultDocumentId), sql`is_shown_to(${documents}, ${payerId}::uuid)`),
    )
    .leftJoin(
      documentReads,
      and(eq(documentReads.documentId, documents.id), eq(documentReads.clientId, payerId)),
    )
    .where(eq(caseSearches.id, caseSearchId));
  return row ?? null;
}

interface Around {
  clientId: string;
  from: Date;
  to: Date;
}

const findSignIns = (connection: Connection, { clientId, from, to }: Around) =>
  connection
    .select({ signedInAt: sessions.createdAt, lastUsedAt: sessions.lastUsedAt })
    .from(sessions)
    .where(and(eq(sessions.ownerId, clientId), gte(sessions.lastUsedAt, from), lte(sessions.createdAt, to)))
    .orderBy(asc(sessions.createdAt));

const findDevices = (connection: Connection, { clientId, from, to }: Around) =>
  connection
    .select({ firstUsedAt: knownDevices.createdAt, lastUsedAt: knownDevices.lastUsedAt })
    .from(knownDevices)
    .where(
      and(
        eq(knownDevices.clientId, clientId),
        gte(knownDevices.lastUsedAt, from),
        lte(knownDevices.createdAt, to),
      ),
    )
    .orderBy(asc(knownDevices.createdAt));

/** Finds the documents of the case that the payer has read since the start of the window. */
const findReads = (connection: Connection, { clientId, from, caseId }: Around & { caseId: string }) =>
  connection
    .select({ title: documents.title, sharedAt: documents.sharedAt, readAt: documentReads.readAt })
    .from(documentReads)
    .innerJoin(documents, eq(documents.id, documentReads.documentId))
    .innerJoin(matters, and(eq(matters.id, documents.matterId), eq(matters.caseId, caseId)))
    .where(and(eq(documentReads.clientId, clientId), gte(documentReads.readAt, from)))
    .orderBy(asc(documentReads.readAt));
