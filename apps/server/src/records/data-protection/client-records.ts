import { type SQL, sql } from 'drizzle-orm';
import { promiseForClients } from '../../case-file/quiet/is-quiet.ts';
import type { Connection } from '../../platform/database.ts';
import { createArchiveNames } from './archive-names.ts';

/** The SQL of what Keyturn has about one client. */

/** Columns that are secrets or mean nothing outside the database. */
const leftOut = [
  ...[
    'password_hash',
    'token_hash',
    'code_hash',
    'confirm_hash',
    'stop_hash',
    'feed_hash',
    'content_hash',
    'mac',
    'key',
  ],
  ...['secret', 'last_step', 'credential_id', 'public_key', 'counter'],
  ...['provider_idempotency_key', 'provider_revision', 'request_key', 'next_check_at'],
  // They may be a joint client’s. The client’s own are in the payment attempts.
  ...['last_payer_id', 'last_payer_address', 'cancel_requested_by'],
  // It is about the person who paid. A member discloses it to them, and never to the client, who must not learn what was checked.
  'payer_check',
  // Words of staff for the firm’s books. The receipt says whose money it is.
  'allocation',
  // Staff only; and what the supplier charges is not true while a part of it comes back.
  'rebate',
];

/** A payment belongs to the client who confirmed it, or who started it if no one did. */
const payerOf = (payment: string) => sql.raw(`coalesce(${payment}.confirmed_by, ${payment}.client_id)`);

/** @param shown fields as clients get them elsewhere, where the row has more */
const rowsOf = (row: string, from: SQL, order: string, shown: SQL = sql`'{}'::jsonb`): SQL => sql`(
  select coalesce(json_agg((to_jsonb(${sql.raw(row)}) || ${shown}) - ${sql.param(leftOut)}::text[]
    order by ${sql.raw(order)}), '[]')
  ${from})`;

/** What is left out of a search until the firm has checked its result. */
const uncheckedResult = sql`'{"outcome": null, "outcome_summary": null}'::jsonb`;

const todayInLondon = sql`(now() at time zone 'Europe/London')::date`;

/**
 * What is exported about a client, by its name in the file. Data of a case is for all its clients; data about a person is
 * for that person alone, so that a joint client’s sign-ins, payments and contact details are not part of it.
 */
const sections = (client: SQL): Record<string, SQL> => {
  const ownCases = sql`(select case_id from case_clients where client_id = ${client})`;
  const ownMatters = sql`(select id from matters where case_id in ${ownCases})`;
  const ownDocuments = sql`(select id from documents where matter_id in ${ownMatters}
    and is_shown_to(documents, ${client}))`;
  /** The document that a column of the row `r` names, if the client can see it. */
  const shownDocument = (column: string) => sql`jsonb_build_object(${sql.raw(`'${column}'`)}, (
    select id from documents where id = r.${sql.raw(column)} and is_shown_to(documents, ${client})))`;
  const ownPayments = sql`(select id from payments where ${payerOf('payments')} = ${client})`;
  const byClient = (table: string, order: string) =>
    rowsOf('r', sql`from ${sql.raw(table)} r where r.client_id = ${client}`, order);
  const byPayment = (table: string, order: string) =>
    rowsOf('r', sql`from ${sql.raw(table)} r where r.payment_id in ${ownPayments}`, order);
  return {
    client: rowsOf('r', sql`from clients r where r.id = ${client}`, 'r.id'),
    cases: rowsOf('r', sql`from conveyancing_cases r where r.id in ${ownCases}`, 'r.reference'),
    clients_of_the_cases: sql`(
      select coalesce(json_agg(json_build_object('case_id', m.case_id, 'name', c.first_name || ' ' || c.last_name)
        order by m.case_id, c.id), '[]')
      from case_clients m join clients c on c.id = m.client_id where m.case_id in ${ownCases})`,
    matters: rowsOf(
      'r',
      sql`from matters r where r.case_id in ${ownCases}`,
      'r.reference',
      // The name of the member who authorised the exchange stays with the firm.
      sql`jsonb_build_object('exchange', r.exchange - 'authorised_by')`,
    ),
    milestones: rowsOf(
      'milestone',
      sql`from milestones milestone join matters matter on matter.id = milestone.matter_id
        where matter.id in ${ownMatters}`,
      'milestone.matter_id, milestone.position',
      sql`jsonb_build_object('next_update_by', ${promiseForClients(todayInLondon)})`,
    ),
    searches: rowsOf(
      'r',
      sql`from case_searches r where r.matter_id in ${ownMatters}`,
      'r.matter_id, r.position',
      sql`case when r.status <> 'reviewed' then ${uncheckedResult} else '{}' end || ${shownDocument('result_document_id')}
        || case when r.rebate > 0 then '{"supplier_cost": null}'::jsonb else '{}' end`,
    ),
    tasks: rowsOf(
      'r',
      sql`from tasks r left join documents document on document.id = r.document_id
        where r.case_id in ${ownCases} and is_hidden_from(document, ${client}) is not true`,
      'r.reference',
    ),
    history: rowsOf('r', sql`from history_entries r where r.case_id in ${ownCases}`, 'r.occurred_at, r.id'),
    bills: rowsOf(
      'r',
      sql`from bills r where r.case_id in ${ownCases}`,
      'r.issued_on, r.id',
      shownDocument('document_id'),
    ),
    documents: rowsOf('r', sql`from documents r where r.id in ${ownDocuments}`, 'r.shared_at, r.id'),
    documents_read: byClient('document_reads', 'r.read_at'),
    documents_sent: byClient('document_deliveries', 'r.delivered_at'),
    signatures: byClient('document_signatures', 'r.signed_at'),
    payments: rowsOf('r', sql`from payments r where r.id in ${ownPayments}`, 'r.created_at, r.id'),
    refunds: byPayment('refunds', 'r.created_at'),
    disputes: byPayment('disputes', 'r.opened_at'),
    payment_changes: rowsOf(
      'r',
      sql`from payment_changes r where ${client} in (r.confirmed_by, r.cancelled_by)`,
      'r.id',
    ),
    payment_mails: byClient('payment_mails', 'r.written_at'),
    payment_links: byClient('payment_links', 'r.created_at'),
    payment_attempts: byClient('payment_attempts', 'r.happened_at'),
    sign_ins: byClient('sessions', 'r.created_at'),
    devices: byClient('known_devices', 'r.created_at'),
    password_links: byClient('password_links', 'r.created_at'),
    factors: byClient('client_factors', 'r.created_at'),
    recovery_codes: byClient('client_recovery_codes', 'r.created_at'),
    email_changes: byClient('email_changes', 'r.created_at'),
    sign_in_warnings: byClient('sign_in_warnings', 'r.warned_at'),
    events: byClient('client_changes', 'r.id'),
    audit_log: rowsOf(
      'r',
      // The IP address of a staff member is not the client’s data. Clients do not see legal holds.
      sql`from (
          select id, occurred_at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id,
            case when actor_kind = 'client' then address end as address, before, after
          from audit_entries
        ) r where ((r.actor_kind = 'client' and r.actor_id = ${client}::text)
        or (r.subject_kind = 'client' and r.subject_id = ${client}::text))
        and r.action not in ('client.hold_placed', 'client.hold_released')`,
      'r.occurred_at, r.id',
    ),
  };
};

/** Tables with a column `client_id` that are not exported, each with the reason. */
export const notExported: Record<string, string> = {
  case_clients: 'is exported as the cases',
  payment_idempotency_keys: 'contains no facts about the client, and expires after a day',
  payments: 'is exported for the client who confirmed a payment, whose name and email it has',
};

/** The names of the sections of an export. */
export const sectionNames = Object.keys(sections(sql``));

/** Reads everything about a client in one statement, so that it is the state of one moment. */
export async function readClientRecords(
  connection: Connection,
  clientId: string,
): Promise<Record<string, unknown[]>> {
  const id = sql`${clientId}::uuid`;
  const parts = Object.entries(sections(id)).map(([name, part]) => sql`${sql.raw(`'${name}'`)}, ${part}`);
  const { rows } = await connection.execute<{ records: Record<string, unknown[]> }>(
    sql`select json_build_object(${sql.join(parts, sql`, `)}) as records`,
  );
  return rows[0]?.records ?? {};
}

export interface ClientFile {
  name: string;
  sha256: string;
  size: number;
}

/** Finds the files of a client: shared documents, their signed copies, and the receipts of own payments. */
export async function findClientFiles(connection: Connection, clientId: string): Promise<ClientFile[]> {
  const { rows } = await connection.execute<{
    path: string[];
    sha256: string;
    size: number;
  }>(sql`
    with own as (
      select d.* from documents d join matters m on m.id = d.matter_id join case_clients c on c.case_id = m.case_id
      where c.client_id = ${clientId} and is_shown_to(d, ${clientId}))
    select array['documents', reference, file_name] as path, sha256, size from own
    union all select array['signed', own.reference, s.position::text, 'signed.pdf'], f.sha256, f.size
      from own join document_signatures s on s.document_id = own.id join signed_files f on f.signature_id = s.id
    union all select array['receipts', coalesce(p.receipt_number, p.id::text),
        row_number() over (partition by p.id order by r.sha256)::text, 'receipt.pdf'], r.sha256, r.size
      from receipt_files r join payments p on p.id = r.payment_id
      where ${payerOf('p')} = ${clientId}
    order by path, sha256`);
  const nameOf = createArchiveNames();
  return rows.map(({ path, ...file }) => ({ ...file, name: nameOf(path) }));
}
