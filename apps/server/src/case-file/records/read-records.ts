import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { readPaths } from '../../platform/firm-data/read-paths.ts';
import { normalForm } from './normal-form.ts';

/** A stored record in the feed's format, with its current values. */
export interface StoredRecord {
  record: FeedRecord<FeedList>;
  /** Position within its case or matter; 0 in a list without an order. */
  position: number;
  /** The file of a document, in hex. */
  sha256: string | null;
  /** The path of a matter, which determines its normal form, and the path's version. */
  path: MilestonePath | null;
  pathVersion: number | null;
}

/**
 * Reads records in the format in which the feed sends them, in their normal form. Contains only fields of the feed,
 * and never a password.
 * @returns by reference
 */
export async function readRecords(
  connection: Connection,
  list: FeedList,
  references: readonly string[],
): Promise<Map<string, StoredRecord>> {
  if (references.length === 0) return new Map();
  const { rows } = await connection.execute<{
    id: string;
    reference: string;
    position: number;
    sha256: string | null;
    record: Record<string, unknown>;
  }>(
    sql`select r.id, r.reference, ${list in ordered ? sql`r.position` : sql`0`} as position,
      ${list === 'documents' ? sql`r.sha256` : sql`null::text`} as sha256,
      json_build_object('reference', r.reference, ${fields[list]}) as record
      from ${sources[list]} where r.reference = any(${sql.param([...references])}::text[])`,
  );
  const ids = rows.map(({ id }) => id);
  const pathOf = list === 'matters' ? await readPaths(connection, ids) : null;
  return new Map(
    rows.map(({ id, reference, record: found, ...stored }) => {
      const record = withoutNulls(found) as FeedRecord<FeedList>;
      const own = pathOf && 'matter_type' in record ? pathOf(id, record.matter_type) : null;
      const path = own?.path ?? null;
      const pathVersion = own?.version ?? null;
      return [reference, { ...stored, path, pathVersion, record: normalForm(list, record, path) }];
    }),
  );
}

const ordered = { matters: true, searches: true, tasks: true };

const ofCase = sql`join conveyancing_cases k on k.id = r.case_id`;
const ofMatter = sql`join matters m on m.id = r.matter_id`;

const sources: Record<FeedList, SQL> = {
  clients: sql`clients r`,
  cases: sql`conveyancing_cases r`,
  matters: sql`matters r ${ofCase}`,
  documents: sql`documents r ${ofMatter} left join documents former on former.id = r.supersedes_id`,
  searches: sql`case_searches r ${ofMatter} left join documents result on result.id = r.result_document_id`,
  tasks: sql`tasks r ${ofCase} left join matters m on m.id = r.matter_id
    left join case_searches s on s.id = r.case_search_id left join documents d on d.id = r.document_id`,
  bills: sql`bills r ${ofCase} left join matters m on m.id = r.matter_id`,
  history: sql`history_entries r ${ofCase}`,
};

const instant = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

const milestones = sql`(select json_agg(json_build_object('key', s.key, 'status', s.status, 'title', s.title,
    'explanation', s.explanation, 'actor', s.actor, 'waiting_for', s.waiting_for, 'reached_on', s.reached_on,
    'expected_from', s.expected_from, 'expected_to', s.expected_to, 'waiting_since', s.waiting_since,
    'usual_working_days', case when s.usual_days_from is not null
      then json_build_object('from', s.usual_days_from, 'to', s.usual_days_to) end,
    'next_update_by', s.next_update_by) order by s.position)
  from milestones s where s.matter_id = r.id)`;

/** The fields of each list besides the reference, as arguments of `json_build_object`. */
const fields: Record<FeedList, SQL> = {
  clients: sql`'title', r.title, 'first_name', r.first_name, 'last_name', r.last_name, 'email', r.email, 'phone', r.phone`,
  cases: sql`'title', r.title, 'status', r.status, 'handlers', r.handlers, 'clients',
    (select json_agg(c.reference order by c.reference) from case_clients of_case
     join clients c on c.id = of_case.client_id where of_case.case_id = r.id)`,
  matters: sql`'case', k.reference, 'matter_type', r.matter_type, 'status', r.status, 'property', r.property,
    'target_exchange_on', r.target_exchange_on, 'target_completion_on', r.target_completion_on,
    'exchanged_on', r.exchanged_on, 'completed_on', r.completed_on, 'parties', r.parties, 'milestones', ${milestones}`,
  documents: sql`'matter', m.reference, 'group', r."group", 'title', r.title, 'file', r.file_name, 'pages', r.pages,
    'uploaded_by', r.uploaded_by, 'shared_at', ${instant('r.shared_at')}, 'supersedes', former.reference,
    'signing', r.signing, 'binds_on', r.binds_on, 'received_on', r.received_on,
    'confirm_identity', r.confirm_identity`,
  searches: sql`'matter', m.reference, 'code', r.code, 'name', r.name, 'supplier', r.supplier,
    'explanation', r.explanation, 'price',
    json_build_object('net', r.price_net, 'vat_rate', r.price_vat_rate, 'vat', r.price_vat),
    'refund_rule', r.refund_rule, 'required_by', r.required_by, 'status', r.status, 'expected_on', r.expected_on,
    'paid_at', ${instant('r.paid_at')}, 'ordered_at', ${instant('r.ordered_at')},
    'returned_at', ${instant('r.returned_at')}, 'valid_until', r.valid_until, 'delayed_reason', r.delayed_reason,
    'outcome', r.outcome, 'outcome_summary', r.outcome_summary, 'result_document', result.reference`,
  tasks: sql`'case', k.reference, 'matter', m.reference, 'search', s.reference, 'document', d.reference,
    'kind', r.kind, 'title', r.title, 'explanation', r.explanation, 'due_on', r.due_on, 'amount', r.amount,
    'status', r.status`,
  bills: sql`'case', k.reference, 'matter', m.reference, 'number', r.number, 'description', r.description,
    'issued_on', r.issued_on, 'due_on', r.due_on, 'due_on_completion', r.due_on_completion, 'net', r.net,
    'vat_rate', r.vat_rate, 'vat', r.vat, 'status', r.status, 'paid', r.paid_otherwise`,
  history: sql`'case', k.reference, 'occurred_at', ${instant('r.occurred_at')}, 'category', r.category,
    'actor', r.actor, 'summary', r.summary`,
};

/** Removes fields that are null in the record or its milestones. */
function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  const { milestones: steps, ...rest } = record;
  const filled = (fieldsOf: object) =>
    Object.fromEntries(Object.entries(fieldsOf).filter(([, value]) => value !== null));
  return { ...filled(rest), ...(Array.isArray(steps) ? { milestones: steps.map(filled) } : {}) };
}
