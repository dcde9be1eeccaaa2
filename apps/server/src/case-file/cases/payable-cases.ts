import { and, asc, eq, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { bankHolidayDays } from '../../platform/firm-data/firm-data.ts';
import { prepareStatement } from '../../platform/prepared-statement.ts';
import { findActiveCase } from '../../platform/reads/active-case.ts';
import {
  caseClients,
  clients,
  conveyancingCases,
  installation,
  matters,
} from '../../schema/tables/tables.ts';

/** Implements the `PayableCases` port of payments; wired in `composition/`. */
export const payableCases = {
  findActive: async (connection: Connection, clientId: string) => {
    const active = await findActiveCase(connection, clientId);
    return active && findOfClient(connection, { clientId, caseId: active.id });
  },

  findOfClient,

  findFirstName: async (connection: Connection, clientId: string): Promise<string> => {
    const [client] = await connection
      .select({ firstName: clients.firstName })
      .from(clients)
      .where(eq(clients.id, clientId));
    return client?.firstName ?? 'A client';
  },

  findName,

  readAtPayment: async (connection: Connection, query: { caseId: string; clientId: string }) => {
    const [found] = await selectAtPayment(connection, query);
    return {
      status: found?.isOnCase ? found.status : null,
      payerFirstName: found?.firstName ?? 'A client',
      firm: found?.firm ?? null,
    };
  },

  findStatementNames: async (connection: Connection, caseId: string) => {
    const [found] = await selectCaseAndFirm(connection, { caseId });
    return found?.firm ? { firmName: found.firm.name, caseReference: found.caseReference } : null;
  },

  describe: async (
    connection: Connection,
    query: { caseId: string; matterId: string | null; payerId: string },
  ) => {
    const [found] = await selectCaseAndFirm(connection, { caseId: query.caseId });
    if (!found?.firm) return null;
    const people = await connection
      .select({ id: clients.id, firstName: clients.firstName, lastName: clients.lastName })
      .from(caseClients)
      .innerJoin(clients, eq(clients.id, caseClients.clientId))
      .where(eq(caseClients.caseId, query.caseId))
      .orderBy(asc(clients.reference));
    return {
      firm: found.firm,
      caseReference: found.caseReference,
      clientNames: people.map(nameOf),
      payerName: await findName(connection, query.payerId),
      property: query.matterId === null ? null : await findProperty(connection, query.matterId),
      bankHolidays: found.bankHolidays,
    };
  },
};

const selectCaseAndFirm = prepareStatement('find_case_and_firm', (builder) =>
  builder
    .select({
      caseReference: conveyancingCases.reference,
      firm: installation.shownFirm,
      bankHolidays: bankHolidayDays,
    })
    .from(conveyancingCases)
    .crossJoin(installation)
    .where(eq(conveyancingCases.id, sql.placeholder('caseId'))),
);

const selectAtPayment = prepareStatement('read_case_at_payment', (builder) =>
  builder
    .select({
      status: conveyancingCases.status,
      isOnCase: sql<boolean>`${caseClients.clientId} is not null`,
      firstName: clients.firstName,
      firm: installation.firm,
    })
    .from(conveyancingCases)
    .crossJoin(installation)
    .leftJoin(clients, eq(clients.id, sql.placeholder('clientId')))
    .leftJoin(
      caseClients,
      and(eq(caseClients.caseId, conveyancingCases.id), eq(caseClients.clientId, clients.id)),
    )
    .where(eq(conveyancingCases.id, sql.placeholder('caseId'))),
);

async function findOfClient(connection: Connection, query: { clientId: string; caseId: string }) {
  const rows = await connection
    .select({ id: conveyancingCases.id, status: conveyancingCases.status, matterId: matters.id })
    .from(conveyancingCases)
    .innerJoin(
      caseClients,
      and(eq(caseClients.caseId, conveyancingCases.id), eq(caseClients.clientId, query.clientId)),
    )
    .leftJoin(matters, eq(matters.caseId, conveyancingCases.id))
    .where(eq(conveyancingCases.id, query.caseId))
    .orderBy(asc(matters.position), asc(matters.reference));
  const [first] = rows;
  if (!first) return null;
  return {
    id: first.id,
    status: first.status,
    matterIds: rows.flatMap(({ matterId }) => matterId ?? []),
  };
}

const nameOf = (client: { firstName: string; lastName: string }) => `${client.firstName} ${client.lastName}`;

/** Works for a client who has left the case, too. */
async function findName(connection: Connection, clientId: string): Promise<string> {
  const [client] = await connection
    .select({ firstName: clients.firstName, lastName: clients.lastName })
    .from(clients)
    .where(eq(clients.id, clientId));
  return client ? nameOf(client) : 'A client';
}

async function findProperty(connection: Connection, matterId: string): Promise<string | null> {
  const [matter] = await connection
    .select({ property: matters.property })
    .from(matters)
    .where(eq(matters.id, matterId));
  if (!matter) return null;
  const { address_lines, town, postcode } = matter.property;
  return [...address_lines, town, postcode].join(', ');
}
