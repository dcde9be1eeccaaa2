import { randomBytes, randomUUID } from 'node:crypto';
import type { Firm, Regulation } from '@keyturn/contract';
import { hashPassword } from '@keyturn/server/people/credentials/passwords.ts';
import type { Connection } from '@keyturn/server/platform/database.ts';
import { readFirmData } from '@keyturn/server/platform/firm-data/firm-data.ts';
import { firmData } from '@keyturn/server/schema/tables/firm-data-tables.ts';
import * as tables from '@keyturn/server/schema/tables/tables.ts';
import { insertOne, newMark, type Row } from './insert-row.ts';

/**
 * Builders of database rows with realistic defaults. Every builder accepts any column of its table, stores one row
 * and returns it.
 */

export interface CaseOverrides extends Row<typeof tables.conveyancingCases> {
  /** The clients of the case; builds one client if omitted. */
  clients?: (Row<typeof tables.clients> & { id?: string; password?: string })[];
  /** The matters of the case; builds one purchase if omitted. */
  matters?: MatterOverrides[];
  tasks?: Row<typeof tables.tasks>[];
  history?: Row<typeof tables.historyEntries>[];
}

export interface MatterOverrides extends Row<typeof tables.matters> {
  milestones?: Row<typeof tables.milestones>[];
  searches?: Row<typeof tables.caseSearches>[];
  documents?: Row<typeof tables.documents>[];
}

/**
 * Builds a case with its clients, matters, milestones and searches. Without overrides: one client, one purchase with
 * three milestones (done, current, upcoming) and one search that awaits payment.
 * @returns the ids, in the order of the overrides
 */
export async function buildCase(database: Connection, overrides: CaseOverrides = {}) {
  const { clients = [{}], matters = [{}], tasks = [], history = [], ...row } = overrides;
  const conveyancingCase = await insertCase(database, row);
  const clientIds: string[] = [];
  for (const client of clients) {
    const id = (await findClient(database, client.id)) ?? (await buildClient(database, client)).id;
    await database.insert(tables.caseClients).values({ caseId: conveyancingCase.id, clientId: id });
    clientIds.push(id);
  }
  const built = [];
  for (const [position, matter] of matters.entries()) {
    built.push(await buildMatter(database, { position, ...matter, caseId: conveyancingCase.id }));
  }
  const taskIds: string[] = [];
  for (const [position, task] of tasks.entries()) {
    taskIds.push((await buildTask(database, { position, ...task, caseId: conveyancingCase.id })).id);
  }
  const historyIds: string[] = [];
  for (const entry of history) {
    historyIds.push((await buildHistoryEntry(database, { ...entry, caseId: conveyancingCase.id })).id);
  }
  return {
    id: conveyancingCase.id,
    reference: conveyancingCase.reference,
    /** The id of the first client; `clientIds` has all ids. */
    clientId: clientIds[0] as string,
    clientIds,
    /** The id of the first matter; `matters` has all ids, with those of their milestones and searches. */
    matterId: built[0]?.id as string,
    matters: built,
    /** The id of the first search of the first matter. */
    caseSearchId: built[0]?.searchIds[0] as string,
    taskIds,
    historyIds,
  };
}

/** @param overrides.password in plain text; without it the client cannot sign in */
export async function buildClient(
  database: Connection,
  { password, ...row }: Row<typeof tables.clients> & { password?: string } = {},
) {
  const mark = newMark();
  return insertOne(
    database
      .insert(tables.clients)
      .values({
        id: randomUUID(),
        reference: `C-${mark}`,
        title: 'Ms',
        firstName: 'Rowan',
        lastName: 'Ashdown',
        email: `rowan.${mark}@example.test`,
        phone: '01632 960123',
        passwordHash: password === undefined ? null : await hashPassword(password),
        ...row,
      })
      .returning(),
  );
}

/** Builds the firm of the installation. */
export async function buildFirm(database: Connection, overrides: Partial<Firm> = {}): Promise<Firm> {
  const firm = {
    name: 'Alder & Finch',
    sra_number: '123456',
    phone: '01632 960000',
    address: ['1 Market Place', 'Frome'],
    opening_hours: 'Monday to Friday, 9am to 5pm',
    vat_number: 'GB 123 4567 89',
    order_cutoff: '15:00',
    closed_on: [],
    ...overrides,
  };
  await database.update(tables.installation).set({ firm });
  return firm;
}

/** Builds what a regulated firm must show, complete unless overridden. */
export async function buildRegulation(
  database: Connection,
  overrides: Partial<Regulation> = {},
): Promise<Regulation> {
  const value: Regulation = {
    legal_form: 'company',
    legal_name: 'Alder & Finch Limited',
    company_number: '01234567',
    registered_in: 'england_and_wales',
    registered_office: ['1 Market Place', 'Frome'],
    member_names: [],
    members_list_at: null,
    regulator: 'sra',
    complaints_name: 'Rhian Morgan',
    complaints_email: 'complaints@firm.test',
    data_protection_name: 'Ann Lee',
    data_protection_email: 'privacy@firm.test',
    terms: [],
    insurer_name: 'An Insurer plc',
    insurer_contact: '1 Insurance Row, London',
    insurer_cover: 'England and Wales',
    ombudsman_text: [],
    badge_url: null,
    has_none_of: ['vat_number', 'terms', 'badge_url'],
    bank_details_adopted_on: null,
    ...overrides,
  };
  const { version } = await readFirmData(database, 'regulation');
  await database
    .insert(firmData)
    .values({ kind: 'regulation', version: version + 1, value, changedAt: new Date() });
  return value;
}

export async function buildMatter(
  database: Connection,
  { milestones, searches = [{}], documents = [], ...row }: MatterOverrides & { caseId: string },
) {
  const matter = await insertOne(
    database
      .insert(tables.matters)
      .values({
        id: randomUUID(),
        reference: `M-${newMark()}`,
        matterType: 'purchase',
        status: 'active',
        property: {
          address_lines: ['The Old Chapel', 'Church Lane'],
          town: 'Frome',
          postcode: 'BA11 1AA',
          tenure: 'freehold',
          title_number: 'WS123456',
          price: 41_500_000,
        },
        parties: [{ role: 'estate_agent', name: 'Bramble & Co', contact: '01632 960456' }],
        position: 0,
        ...row,
      })
      .returning(),
  );
  const milestoneIds: string[] = [];
  for (const [position, milestone] of (milestones ?? usualMilestones).entries()) {
    const made = await buildMilestone(database, { position, ...milestone, matterId: matter.id });
    milestoneIds.push(made.id);
  }
  const searchIds: string[] = [];
  for (const [position, search] of searches.entries()) {
    searchIds.push((await buildCaseSearch(database, { position, ...search, matterId: matter.id })).id);
  }
  const documentIds: string[] = [];
  for (const document of documents) {
    documentIds.push((await buildDocument(database, { ...document, matterId: matter.id })).id);
  }
  return { id: matter.id, milestoneIds, searchIds, documentIds };
}

export async function buildMilestone(
  database: Connection,
  row: Row<typeof tables.milestones> & { matterId: string },
) {
  const key = row.key ?? `step_${newMark()}`;
  return insertOne(
    database
      .insert(tables.milestones)
      .values({
        id: randomUUID(),
        key,
        title: 'Contract pack received',
        explanation: "The seller's lawyer has sent us the draft contract.",
        stageTitle: 'Getting started',
        stagePosition: 0,
        actor: 'us',
        status: 'upcoming',
        position: 0,
        ...row,
      })
      .returning(),
  );
}

/** Builds a search. By default it awaits payment and costs £180.00 with VAT. */
export async function buildCaseSearch(
  database: Connection,
  row: Row<typeof tables.caseSearches> & { matterId: string },
) {
  const { priceNet = 15_000, priceVat = 3_000 } = row;
  return insertOne(
    database
      .insert(tables.caseSearches)
      .values({
        id: randomUUID(),
        reference: `S-${newMark()}`,
        code: 'LLC1_CON29R',
        name: 'Local authority search',
        supplier: 'Somerset Council',
        explanation: 'Shows what the council knows about the property.',
        priceNet,
        priceVatRate: 20,
        priceVat,
        priceGross: priceNet + priceVat,
        refundRule: 'Refunded in full until we have ordered it.',
        requiredBy: 'lender',
        status: 'awaiting_payment',
        position: 0,
        ...row,
      })
      .returning(),
  );
}

export async function buildDocument(
  database: Connection,
  row: Row<typeof tables.documents> & { matterId: string },
) {
  return insertOne(
    database
      .insert(tables.documents)
      .values({
        id: randomUUID(),
        reference: `D-${newMark()}`,
        group: 'contract',
        title: 'Draft contract',
        fileName: 'draft-contract.pdf',
        mediaType: 'application/pdf',
        size: 48_213,
        pages: 6,
        sha256: randomBytes(32).toString('hex'),
        uploadedBy: 'Alder & Finch',
        sharedAt: new Date(),
        ...row,
      })
      .returning(),
  );
}

/** Records a client’s signature on a document, whose seal no key has made. */
export async function buildSignature(
  database: Connection,
  row: Row<typeof tables.documentSignatures> & { documentId: string; clientId: string },
) {
  return insertOne(
    database
      .insert(tables.documentSignatures)
      .values({
        id: randomUUID(),
        position: 1,
        name: 'Rowan Ashdown',
        method: 'typed',
        consent: 'I agree',
        signedAt: new Date(),
        address: '203.0.113.7',
        sha256: 'a'.repeat(64),
        mac: Buffer.alloc(32),
        ...row,
      })
      .returning(),
  );
}

/** Signs a client in. */
export async function buildSession(
  database: Connection,
  { clientId, ...row }: Row<typeof tables.sessions> & { clientId: string },
) {
  return insertOne(
    database
      .insert(tables.sessions)
      .values({
        tokenHash: randomBytes(32),
        ownerId: clientId,
        expiresAt: new Date(Date.now() + 3_600_000),
        ...row,
      })
      .returning(),
  );
}

export async function buildTask(database: Connection, row: Row<typeof tables.tasks> & { caseId: string }) {
  return insertOne(
    database
      .insert(tables.tasks)
      .values({
        id: randomUUID(),
        reference: `T-${newMark()}`,
        kind: 'contact_us',
        title: 'Ring us about your deposit',
        explanation: 'We need to agree how it reaches us.',
        status: 'open',
        position: 0,
        ...row,
      })
      .returning(),
  );
}

export async function buildHistoryEntry(
  database: Connection,
  row: Row<typeof tables.historyEntries> & { caseId: string },
) {
  return insertOne(
    database
      .insert(tables.historyEntries)
      .values({
        id: randomUUID(),
        reference: `H-${newMark()}`,
        occurredAt: new Date(),
        category: 'case',
        actor: 'Alder & Finch',
        summary: 'We opened your case.',
        ...row,
      })
      .returning(),
  );
}

const usualMilestones: Row<typeof tables.milestones>[] = [
  { key: 'instructed', title: 'Case opened', status: 'done', reachedOn: '2026-03-02' },
  { key: 'searches_paid', title: 'Searches paid for', actor: 'you', status: 'current' },
  { key: 'exchanged', title: 'Contracts exchanged', keyMoment: true, status: 'upcoming' },
];

function insertCase(database: Connection, row: Row<typeof tables.conveyancingCases>) {
  return insertOne(
    database
      .insert(tables.conveyancingCases)
      .values({
        id: randomUUID(),
        reference: `KT-${newMark()}`,
        title: 'Purchase of The Old Chapel',
        status: 'active',
        handlers: [
          { name: 'Hannah Alder', role: 'Solicitor', phone: '01632 960789', email: 'hannah@alderfinch.test' },
        ],
        closedAt: row.status === 'completed' || row.status === 'abandoned' ? new Date() : null,
        ...row,
      })
      .returning(),
  );
}

/** Returns the id of the client with this email address, if there is one. */
async function findClient(database: Connection, id: string | undefined) {
  if (id === undefined) return undefined;
  const client = await database.query.clients.findFirst({ where: (row, { eq }) => eq(row.id, id) });
  return client?.id;
}
