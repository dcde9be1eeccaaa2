import type { ClientDataCallKey } from '@keyturn/contract/staff';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { queueCancelPayments } from '../../people/clients/cancel-payments-job.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { isSessionOpen, type SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import type { StoredClient } from '../../platform/reads/find-client-by-email.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import {
  ErasureRefused,
  eraseAtDesk,
  readErasure,
  readPlan,
} from '../../records/data-protection/desk/erase-at-desk.ts';
import { listClients } from '../../records/data-protection/desk/list-clients.ts';
import { readClientData } from '../../records/data-protection/desk/read-client-data.ts';
import { reasonOfDatabase } from '../../records/data-protection/erasure/erase.ts';
import { exportClient } from '../../records/data-protection/export-client.ts';
import { type HeldSubject, placeHold, releaseHold } from '../../records/data-protection/holds/legal-holds.ts';
import type { ExportedFiles, OpenArchive } from '../../records/data-protection/ports.ts';
import { clients } from '../../schema/tables/tables.ts';

export interface ClientDataDependencies {
  database: Database;
  clock: Clock;
  files: ExportedFiles;
  openArchive: OpenArchive;
}

/** Returns the handlers of the calls about what the firm keeps about a client. */
export function clientDataHandlers(dependencies: ClientDataDependencies): StaffHandlers<ClientDataCallKey> {
  const { database, clock, openArchive } = dependencies;
  const place = (kind: HeldSubject['kind']) => (request: HoldRequest) =>
    changeHold(dependencies, request, { kind, isPlaced: true });
  const release = (kind: HeldSubject['kind']) => (request: HoldRequest) =>
    changeHold(dependencies, request, { kind, isPlaced: false });
  return {
    'GET /staff/clients': async ({ query: { q } }) => listClients(database, q),
    'GET /staff/clients/{id}/data': async ({ params: { id } }) =>
      readClientData(database, await findClient(database, id)),
    'POST /staff/clients/{id}/hold': place('client'),
    'POST /staff/clients/{id}/hold/release': release('client'),
    'POST /staff/cases/{id}/hold': place('case'),
    'POST /staff/cases/{id}/hold/release': release('case'),
    'GET /staff/clients/{id}/export': async ({ params: { id }, staff, address }) => {
      const client = await findClient(database, id);
      const { files } = await exportClient(dependencies, client.id, byStaff({ staff, address }));
      return {
        content: openArchive(files),
        mediaType: 'application/zip',
        fileName: `Client ${client.reference}.zip`,
      };
    },
    'GET /staff/clients/{id}/erasure': async ({ params: { id } }) => {
      const client = await findStoredClient(database, id);
      if (client) return { plan: await readPlan(database, client, clock()), record: null };
      return { plan: null, record: await readRecord(database, id) };
    },
    'POST /staff/clients/{id}/erasure': async ({ params: { id }, body, staff, address }) => {
      const by = byStaff({ staff, address });
      await runTransaction(database, async (transaction) => {
        await assertSessionOpen(transaction, staff);
        const client = await findClient(transaction, id, { lock: true });
        await eraseAtDesk(transaction, client, { ...body, at: clock(), by });
      }).catch(async (error) => {
        if (error instanceof ErasureRefused && error.cancelsPayments)
          await queueCancelPayments(database, { clientId: id, reason: 'erasure_ordered' });
        if (error instanceof DomainError) throw error;
        // Throws every error but a refusal: a payment, refund or hold was added after the plan was read.
        reasonOfDatabase(error);
        throw new DomainError('changed_meanwhile');
      });
      return readRecord(database, id);
    },
  };
}

interface HoldRequest {
  params: { id: string };
  body: { reason: string };
  staff: SignedInStaff;
  address: string;
}

/** @throws DomainError `not_found`, `edit_not_possible`, `unauthenticated` */
async function changeHold(
  { database, clock }: ClientDataDependencies,
  { params: { id }, body, staff, address }: HoldRequest,
  { kind, isPlaced }: { kind: HeldSubject['kind']; isPlaced: boolean },
): Promise<undefined> {
  const order = { reason: body.reason.trim(), at: clock(), by: byStaff({ staff, address }) };
  await runTransaction(database, async (transaction) => {
    await assertSessionOpen(transaction, staff);
    await assertExists(transaction, { kind, id });
    const isChanged = await (isPlaced ? placeHold : releaseHold)(transaction, { kind, id }, order);
    if (!isChanged)
      throw new DomainError('edit_not_possible', {
        message: isPlaced
          ? `This ${kind} is under a legal hold already. Reload the page to see who placed it and why.`
          : `This ${kind} is not under a legal hold any more. Reload the page to see who released it.`,
      });
  });
}

async function assertSessionOpen(transaction: Transaction, staff: SignedInStaff): Promise<void> {
  if (!(await isSessionOpen(transaction, staff))) throw new DomainError('unauthenticated');
}

async function assertExists(transaction: Transaction, { kind, id }: HeldSubject): Promise<void> {
  if (kind === 'client') {
    await findClient(transaction, id);
    return;
  }
  if (!isId(id)) throw new DomainError('not_found');
  const { rowCount } = await transaction.execute(sql`select from conveyancing_cases where id = ${id}::uuid`);
  if (rowCount === 0) throw new DomainError('not_found');
}

/** @throws DomainError `not_found` for an unknown or erased client */
async function findClient(
  connection: Connection,
  id: string,
  options: { lock?: boolean } = {},
): Promise<StoredClient> {
  const client = await findStoredClient(connection, id, options);
  if (!client) throw new DomainError('not_found');
  return client;
}

async function findStoredClient(
  connection: Connection,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredClient | undefined> {
  if (!isId(id)) return undefined;
  const query = connection
    .select()
    .from(clients)
    .where(and(eq(clients.id, id), isNull(clients.erasedAt)));
  const [client] = lock ? await query.for('update') : await query;
  return client;
}

/** @throws DomainError `not_found` if no client with this id was erased */
async function readRecord(connection: Connection, id: string) {
  const record = isId(id) ? await readErasure(connection, id) : null;
  if (!record) throw new DomainError('not_found');
  return record;
}
