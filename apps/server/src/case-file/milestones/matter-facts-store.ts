import { type SQL, sql } from 'drizzle-orm';
import { columns, jsonList, literals } from '../../platform/reads/contract-json.ts';
import {
  type DocumentFacts,
  type MatterFacts,
  type ReportFacts,
  type SearchFacts,
  stepsOf,
} from './waiting-line.ts';

/* The SQL of the facts behind the waiting-for line, as JSON, and their form in the code. */

/** The facts of one matter as JSON: with timestamps as text. */
export interface StoredFacts extends Pick<MatterFacts, 'parties' | 'clients'> {
  searches: Stored<SearchFacts>[];
  documents: (Omit<Stored<DocumentFacts>, 'receivedAt' | 'originals'> & {
    receivedOn: string | null;
    originals: { clientId: string; receivedOn: string }[];
  })[];
  reports: Stored<ReportFacts>[];
}

type Stored<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: Stored<Value[Name]> }
    : Value;

/** Everyone on the case, in the firm's order. */
const clients = jsonList(
  sql`json_build_object('id', client.id, 'firstName', client.first_name, 'lastName', client.last_name)`,
  {
    query: sql`
      from case_clients membership join clients client on client.id = membership.client_id
      where membership.case_id = matter.case_id`,
    order: sql`client.reference`,
  },
);

/** Searches that are not cancelled, in the firm's order. A review is with the firm, whatever another payment does. */
const searches = jsonList(
  sql`json_build_object(${columns('search', 'supplier', 'status')}, 'createdAt', search.created_at,
      'paidAt', search.paid_at, 'orderedAt', search.ordered_at, 'returnedAt', search.returned_at,
      'pendingPayment', case when search.status = 'awaiting_payment' then pending.payment end)`,
  {
    query: sql`
        from case_searches search
        left join lateral (
          select json_build_object('since', payment.updated_at,
            'heldBy', case when payment.review_reason is null then 'bank' else 'firm' end) as payment
          from payments payment
          where payment.case_search_id = search.id
            and (payment.status = 'processing' or payment.review_reason is not null)
          order by (payment.review_reason is not null) desc, payment.updated_at limit 1) pending on true
        where search.matter_id = matter.id and search.status <> 'cancelled'`,
    order: sql`search.position, search.id`,
  },
);

/** The latest versions of the documents to sign. */
const documentsFor = (client: SQL) =>
  jsonList(
    sql`json_build_object('sharedAt', document.shared_at, 'isOnPaper', document.signing <> 'simple',
      'isClosed', document.received_on is not null or exists (
        select from tasks where document_id = document.id and kind = 'sign_document' and status = 'done'),
      'receivedOn', document.received_on, 'originals', (
        select coalesce(json_agg(json_build_object('clientId', original -> 'client_id', 'receivedOn', original -> 'received_on')), '[]')
        from jsonb_array_elements(document.originals) original),
      'signatures', (
        select coalesce(json_agg(json_build_object('clientId', client_id, 'signedAt', signed_at)), '[]'::json)
        from document_signatures where document_id = document.id))`,
    {
      query: sql`
        from documents document
        where document.matter_id = matter.id and document.signing is not null and is_shown_to(document, ${client})
          and not exists (
            select from documents newer where newer.supersedes_id = document.id and is_shown_to(newer, ${client}))`,
      order: sql`document.shared_at, document.id`,
    },
  );

/** The reports that clients have been asked to read. */
const reportsFor = (client: SQL) =>
  jsonList(
    sql`json_build_object('sharedAt', document.shared_at, 'forClientId', document.for_client_id, 'readBy', (
      select coalesce(json_agg(json_build_object('clientId', client_id, 'readAt', read_at)), '[]'::json)
      from document_reads where document_id = document.id))`,
    {
      query: sql`
        from documents document
        where document.matter_id = matter.id and is_shown_to(document, ${client}) and exists (
          select from tasks where document_id = document.id and kind = 'read_document' and status = 'open')
          and document."group" = 'reports'`,
      order: sql`document.shared_at, document.id`,
    },
  );

/** Writes the facts of the row `matter` that decide the waiting-for line of the row `milestone`, as far as a client may know them. */
export const selectFacts = (
  client: SQL,
) => sql`json_build_object('parties', matter.parties, 'clients', ${clients},
  'searches', ${forSteps(stepsOf.searches, searches)},
  'documents', ${forSteps(stepsOf.signing, documentsFor(client))},
  'reports', ${forSteps(stepsOf.reports, reportsFor(client))})`;

/** Reads only the facts that determine a step. */
function forSteps(keys: readonly string[], list: SQL): SQL {
  return sql`case when milestone.key in (${literals(keys)}) then ${list} else '[]'::json end`;
}

/** Converts the facts of a matter from JSON. */
export const toFacts = ({
  parties,
  clients,
  searches,
  documents,
  reports,
}: StoredFacts): Omit<MatterFacts, 'matterType'> => ({
  parties,
  clients,
  searches: searches.map(({ createdAt, paidAt, orderedAt, returnedAt, pendingPayment, ...search }) => ({
    ...search,
    createdAt: new Date(createdAt),
    paidAt: dateOf(paidAt),
    orderedAt: dateOf(orderedAt),
    returnedAt: dateOf(returnedAt),
    pendingPayment: pendingPayment && { ...pendingPayment, since: new Date(pendingPayment.since) },
  })),
  documents: documents.map(({ sharedAt, receivedOn, originals, signatures, ...document }) => ({
    ...document,
    sharedAt: new Date(sharedAt),
    receivedAt: startOf(receivedOn),
    originals: originals.map(({ clientId, receivedOn: day }) => ({ clientId, receivedAt: startOf(day) })),
    signatures: signatures.map(({ clientId, signedAt }) => ({ clientId, signedAt: new Date(signedAt) })),
  })),
  reports: reports.map(({ sharedAt, readBy, ...report }) => ({
    ...report,
    sharedAt: new Date(sharedAt),
    readBy: readBy.map(({ clientId, readAt }) => ({ clientId, readAt: new Date(readAt) })),
  })),
});

const startOf = <D extends string | null>(day: D) =>
  (day === null ? null : new Date(`${day}T00:00:00Z`)) as D extends null ? null : Date;

export const dateOf = (timestamp: string | null): Date | null =>
  timestamp === null ? null : new Date(timestamp);
