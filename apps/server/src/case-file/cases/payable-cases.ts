import type { CaseStatus, Firm } from '@keyturn/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { bankHolidayDays } from '../../platform/firm-data/firm-data.ts';
import { readStatutoryLine } from '../../platform/firm-data/statutory-line.ts';
import { prepareStatement } from '../../platform/prepared-statement.ts';
import { findActiveCase } from '../../platform/reads/active-case.ts';
import {
  caseClients,
  clients,
  conveyancingCases,
  installation,
  matters,
} from '../../schema/tables/tables.ts';

/** The facts for a payer's statement. */
export interface StatementNames {
  firmName: string;
  caseReference: string;
}

/** A case of a client who pays. */
export interface PayableCase {
  id: string;
  status: CaseStatus;
  /** In the case's order. */
  matterIds: string[];
}

/** The facts for a receipt about a case. */
export interface DescribedCase {
  firm: Firm;
  /** What the firm must state in its letters. */
  statutoryLine: string;
  caseReference: string;
  /** Every client on the case. */
  clientNames: string[];
  /** The name of `payerId`. */
  payerName: string;
  /** The matter's address on one line; null if the payment does not belong to a single matter. */
  property: string | null;
  /** Days on which banks are closed, besides weekends. */
  bankHolidays: readonly string[];
}

/** A case at the moment of a payment. */
export interface CaseAtPayment {
  /** Null if the client is no longer on the case. */
  status: CaseStatus | null;
  /** "A client" for an unknown client. */
  payerFirstName: string;
  /** Null before a firm was imported. */
  firm: Firm | null;
}

/** What payments read about cases. */
export const payableCases = {
  /** Finds the client's active case; null for a client without cases. */
  findActive: async (connection: Connection, clientId: string): Promise<PayableCase | null> => {
    const active = await findActiveCase(connection, clientId);
    return active ? findOfClient(connection, { clientId, caseId: active.id }) : null;
  },

  /** Finds a case of this client; null if they are not on it. */
  findOfClient,

  /** The first name of a client, including of one who is no longer on any case; "A client" for an unknown id. */
  findFirstName: async (connection: Connection, clientId: string): Promise<string> => {
    const [client] = await connection
      .select({ firstName: clients.firstName })
      .from(clients)
      .where(eq(clients.id, clientId));
    return client?.firstName ?? 'A client';
  },

  /** The full name of a client, including of one who is no longer on any case; "A client" for an unknown id. */
  findName,

  /**
   * Reads the facts that are recorded with a successful payment: the payer’s name, the state of the case, and the
   * firm.
   */
  readAtPayment: async (
    connection: Connection,
    query: { caseId: string; clientId: string },
  ): Promise<CaseAtPayment> => {
    const [found] = await selectAtPayment(connection, query);
    return {
      status: found?.isOnCase ? found.status : null,
      payerFirstName: found?.firstName ?? 'A client',
      firm: found?.firm ?? null,
    };
  },

  /** Finds the facts for a payer's statement; null before a firm was imported. */
  findStatementNames: async (connection: Connection, caseId: string): Promise<StatementNames | null> => {
    const [found] = await selectCaseAndFirm(connection, { caseId });
    return found?.firm ? { firmName: found.firm.name, caseReference: found.caseReference } : null;
  },

  /** Reads the facts for a receipt about a case and one of its matters; null before a firm was imported. */
  describe: async (
    connection: Connection,
    query: { caseId: string; matterId: string | null; payerId: string },
  ): Promise<DescribedCase | null> => {
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
      statutoryLine: await readStatutoryLine(connection),
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

async function findOfClient(
  connection: Connection,
  query: { clientId: string; caseId: string },
): Promise<PayableCase | null> {
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
