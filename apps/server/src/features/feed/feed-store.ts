import { and, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Connection, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { bills, payments } from '../../platform/tables/payment-tables.ts';
import * as tables from '../../platform/tables/tables.ts';
import type { Member, OrderedList } from './assign-positions.ts';

/* The SQL of the import. */

/**
 * Serialises imports per record across servers. The record's commit does not wait for the disk; `flushFeed` does, once
 * for the whole feed.
 */
export const lockFeed = (transaction: Transaction) =>
  transaction.execute(
    sql`select pg_advisory_xact_lock(7208114223), set_config('synchronous_commit', 'off', true)`,
  );

/**
 * Resolves when all earlier commits are on disk. PostgreSQL writes its log in order, and a transaction that adds to the
 * log waits for the disk.
 */
export const flushFeed = (connection: Connection) =>
  connection.execute(sql`select pg_logical_emit_message(true, 'keyturn', '')`);

/** A stored record with the hash of its last imported content. */
export interface Known {
  id: string;
  hash: Buffer | null;
  /** The id of its case or matter; empty without one. */
  parent: string;
  /** The id of its case; empty for a client. */
  caseId: string;
  /** For a client: whether they have no password yet. */
  hasNoPassword?: boolean;
}

const none = sql<string>`''`;
const caseOf = (matterId: AnyPgColumn) =>
  sql<string>`(select m.case_id from matters m where m.id = ${matterId})`;

const sources = {
  clients: { table: tables.clients, parent: none, caseId: none },
  cases: {
    table: tables.conveyancingCases,
    parent: none,
    caseId: sql<string>`${tables.conveyancingCases.id}`,
  },
  matters: ofCase(tables.matters),
  documents: ofMatter(tables.documents),
  searches: ofMatter(tables.caseSearches),
  tasks: ofCase(tables.tasks),
  bills: ofCase(bills),
  history: ofCase(tables.historyEntries),
} as const;

function ofCase<
  Table extends typeof tables.matters | typeof tables.tasks | typeof tables.historyEntries | typeof bills,
>(table: Table) {
  return { table, parent: sql<string>`${table.caseId}`, caseId: sql<string>`${table.caseId}` };
}

function ofMatter<Table extends typeof tables.documents | typeof tables.caseSearches>(table: Table) {
  return { table, parent: sql<string>`${table.matterId}`, caseId: caseOf(table.matterId) };
}

export type KnownList = keyof typeof sources;

/** Finds stored records by reference, in one statement. */
export async function findKnown(
  connection: Connection,
  list: KnownList,
  references: string[],
): Promise<Map<string, Known>> {
  if (references.length === 0) return new Map();
  const { table, parent, caseId } = sources[list];
  const rows = await connection
    .select({
      reference: table.reference,
      id: table.id,
      hash: table.feedHash,
      parent,
      caseId,
      hasNoPassword:
        list === 'clients' ? sql<boolean>`${tables.clients.passwordHash} is null` : sql<boolean>`false`,
    })
    .from(table as PgTable)
    .where(sql`${table.reference} = any(${sql.param([...new Set(references)])}::text[])`);
  return new Map(rows.map(({ reference, ...known }) => [reference ?? '', known]));
}

/** Reads the positions of the records in these cases or matters. */
export async function findStoredPositions(connection: Connection, list: OrderedList, parents: string[]) {
  if (parents.length === 0) return [];
  const { table, parent } = sources[list];
  return connection
    .select({ reference: table.reference, parent, position: table.position })
    .from(table as PgTable)
    .where(sql`${parent} = any(${sql.param([...new Set(parents)])}::uuid[])`) as Promise<
    (Member & { position: number })[]
  >;
}

/** The non-cancelled payment of a search, if there is one. */
export async function findPaymentOfSearch(transaction: Transaction, caseSearchId: string) {
  const [row] = await transaction
    .select({
      id: payments.id,
      paidAt: payments.paidAt,
      isRefunded: sql<boolean>`${payments.status} = 'refunded'`,
    })
    .from(payments)
    .where(
      and(
        eq(payments.caseSearchId, caseSearchId),
        ne(payments.status, 'cancelled'),
        isNull(payments.searchReleasedAt),
      ),
    );
  return row;
}

/**
 * Lets another payment pay for a search whose payment was fully refunded, opens the task to pay it again, and records it
 * in the case's history. The search is locked.
 */
export async function offerSearchAgain(
  transaction: Transaction,
  {
    caseId,
    caseSearchId,
    name,
    paymentId,
    at,
  }: { caseId: string; caseSearchId: string; name: string; paymentId: string; at: Date },
): Promise<void> {
  await transaction
    .update(payments)
    .set({ searchReleasedAt: at, updatedAt: sql`now()`, lastCause: 'search_offered_again' })
    .where(and(eq(payments.id, paymentId), eq(payments.status, 'refunded')));
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

export async function lockSearch(transaction: Transaction, id: string) {
  const [row] = await transaction
    .select()
    .from(tables.caseSearches)
    .where(eq(tables.caseSearches.id, id))
    .for('update');
  return row;
}

/** Locks a bill, waiting for a payment that is being started. @returns undefined for an unknown bill */
export async function lockBill(transaction: Transaction, id: string) {
  const [bill] = await transaction
    .select({ net: bills.net, vat: bills.vat, vatRate: bills.vatRate })
    .from(bills)
    .where(eq(bills.id, id))
    .for('update');
  if (!bill) return undefined;
  const started = await transaction.$count(
    payments,
    and(eq(payments.billId, id), ne(payments.status, 'cancelled')),
  );
  return { ...bill, hasPayments: started > 0 };
}

/**
 * Locks a document, waiting for a signature in progress, and reads the file it must keep once signed.
 * @returns undefined for an unknown document
 */
export async function lockSignedFile(transaction: Transaction, documentId: string) {
  const [document] = await transaction
    .select({ sha256: tables.documents.sha256 })
    .from(tables.documents)
    .where(eq(tables.documents.id, documentId))
    .for('update');
  if (!document) return undefined;
  const signatures = await transaction.$count(
    tables.documentSignatures,
    eq(tables.documentSignatures.documentId, documentId),
  );
  return { sha256: document.sha256, isSigned: signatures > 0 };
}

/** Inserts a row, or updates it and its `updated_at`. */
export async function upsert<Table extends typeof tables.clients | (typeof sources)[KnownList]['table']>(
  transaction: Transaction,
  table: Table,
  isKnown: boolean,
  values: Table['$inferInsert'] & { id: string },
): Promise<void> {
  if (isKnown) {
    const { id, ...change } = values;
    await transaction
      .update(table as PgTable)
      .set({ ...change, updatedAt: sql`now()` } as never)
      .where(eq(table.id, id));
  } else {
    await transaction.insert(table as PgTable).values(values as never);
  }
}

/** Sets a client's password unless they have set one meanwhile. */
export const setInitialPassword = (transaction: Transaction, clientId: string, passwordHash: string) =>
  transaction
    .update(tables.clients)
    .set({ passwordHash, updatedAt: sql`now()` })
    .where(and(eq(tables.clients.id, clientId), isNull(tables.clients.passwordHash)));

export async function replaceCaseClients(transaction: Transaction, caseId: string, clientIds: string[]) {
  await transaction.delete(tables.caseClients).where(eq(tables.caseClients.caseId, caseId));
  await transaction.insert(tables.caseClients).values(clientIds.map((clientId) => ({ caseId, clientId })));
}

export async function replaceMilestones(
  transaction: Transaction,
  matterId: string,
  milestones: (typeof tables.milestones.$inferInsert)[],
) {
  const keys = milestones.map(({ key }) => key);
  await transaction
    .delete(tables.milestones)
    .where(
      and(
        eq(tables.milestones.matterId, matterId),
        sql`${tables.milestones.key} <> all(${sql.param(keys)}::text[])`,
      ),
    );
  const {
    id: _id,
    matterId: _matter,
    key: _key,
    createdAt: _created,
    updatedAt: _updated,
    ...columns
  } = getTableColumns(tables.milestones);
  const excluded = Object.fromEntries(
    Object.entries(columns).map(([field, column]) => [field, sql.raw(`excluded.${column.name}`)]),
  );
  await transaction
    .insert(tables.milestones)
    .values(milestones)
    .onConflictDoUpdate({
      target: [tables.milestones.matterId, tables.milestones.key],
      set: {
        ...excluded,
        // Words that stay the same are as old as before: a matter is also sent for other reasons.
        waitingSetAt: sql`case
          when (excluded.waiting_for, excluded.waiting_since)
            is not distinct from (milestones.waiting_for, milestones.waiting_since)
          then milestones.waiting_set_at else excluded.waiting_set_at end`,
        updatedAt: sql`now()`,
      },
    });
}

export async function readInstallation(connection: Connection) {
  const [row] = await connection.select().from(tables.installation);
  if (!row) throw new Error('the installation has no row');
  return row;
}

export const writeInstallation = (
  connection: Connection,
  change: Partial<
    Pick<typeof tables.installation.$inferInsert, 'contents' | 'firm' | 'demonstrationComplete'>
  >,
) => connection.update(tables.installation).set({ ...change, updatedAt: sql`now()` });

/** Marks older documents as read by every client on their case, a day after they were shared. */
export const markDocumentsRead = (connection: Connection, { sharedBefore }: { sharedBefore: Date }) =>
  connection.execute(sql`
    insert into document_reads (document_id, client_id, read_at)
    select d.id, c.client_id, d.shared_at + interval '1 day'
    from documents d join matters m on m.id = d.matter_id join case_clients c on c.case_id = m.case_id
    where d.shared_at < ${sharedBefore.toISOString()}
    on conflict do nothing`);

/**
 * When a client's email changes, the old address may belong to someone else: this ends its password links, and all
 * sessions and known devices of the client.
 */
export async function endAccessOfPreviousEmail(
  transaction: Transaction,
  clientId: string,
  email: string,
): Promise<void> {
  const [changed] = await transaction
    .select({ id: tables.clients.id })
    .from(tables.clients)
    .where(and(eq(tables.clients.id, clientId), sql`lower(${tables.clients.email}) <> lower(${email})`))
    .for('update');
  if (!changed) return;
  await transaction
    .update(tables.passwordLinks)
    .set({ usedAt: sql`now()` })
    .where(and(eq(tables.passwordLinks.clientId, clientId), isNull(tables.passwordLinks.usedAt)));
  await transaction
    .update(tables.sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(tables.sessions.clientId, clientId), isNull(tables.sessions.revokedAt)));
  await transaction.delete(tables.knownDevices).where(eq(tables.knownDevices.clientId, clientId));
}
