import type { Client, ConveyancingCase } from '@keyturn/contract';
import { and, desc, eq } from 'drizzle-orm';
import { findActiveCase } from '../../platform/active-case.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { caseClients, clients, conveyancingCases } from '../../platform/tables/tables.ts';

/** Reads a whole case; provided by the conveyancing-case feature. */
export type ReadConveyancingCase = (
  connection: Connection,
  ownCase: { caseId: string; clientId: string },
) => Promise<ConveyancingCase | null>;

/**
 * Reads the client with their active case.
 * @throws DomainError `unauthenticated` when the client no longer exists
 */
export async function readClient(
  connection: Connection,
  clientId: string,
  readConveyancingCase: ReadConveyancingCase,
): Promise<Client> {
  const [[client], cases, activeCase] = await Promise.all([
    connection.select().from(clients).where(eq(clients.id, clientId)),
    connection
      .select({
        id: conveyancingCases.id,
        reference: conveyancingCases.reference,
        title: conveyancingCases.title,
      })
      .from(conveyancingCases)
      .innerJoin(
        caseClients,
        and(eq(caseClients.caseId, conveyancingCases.id), eq(caseClients.clientId, clientId)),
      )
      .orderBy(desc(conveyancingCases.createdAt), desc(conveyancingCases.reference)),
    findActiveCase(connection, clientId),
  ]);
  if (!client) throw new DomainError('unauthenticated');
  return {
    id: client.id,
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
    title: client.title,
    first_name: client.firstName,
    last_name: client.lastName,
    email: client.email,
    phone: client.phone,
    conveyancing_case:
      activeCase && (await readConveyancingCase(connection, { caseId: activeCase.id, clientId })),
    active_case: activeCase,
    cases,
  };
}
