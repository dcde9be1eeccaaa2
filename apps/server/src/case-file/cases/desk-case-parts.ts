import { newPhoneDays, openPaymentStatuses } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import {
  asInstant,
  columns,
  entityFields,
  instants,
  jsonList,
  literals,
} from '../../platform/reads/contract-json.ts';
import { versionOf } from '../../platform/reads/record-version.ts';
import { milestoneJson } from '../milestones/read-milestones.ts';
import { caseSearch, searchesWithPayments } from '../searches/read-case-searches.ts';

/* The parts of a case as staff see it, as JSON, of the row `conveyancing_case`. */

const now = sql`${sql.placeholder('now')}::timestamptz`;

const nameOf = (client: string) =>
  sql.raw(
    `json_build_object('id', ${client}.id, 'name', ${client}.first_name || ' ' || ${client}.last_name)`,
  );

/** Records made at the desk have references that no feed may create. */
const origin = (row: string) =>
  sql`${columns(row, 'reference')}, 'version', ${versionOf(row)},
    'is_from_desk', ${sql.raw(row)}.reference like 'desk-%', 'sent_at', ${asInstant(`${row}.feed_sent_at`)}`;

/** A client who has changed their number back has no new one. */
const isNewPhone = sql`(client.phone_changed_at > ${now} - make_interval(days => ${sql.raw(`${newPhoneDays}`)})
  and client.phone is distinct from client.former_phone)`;

export const clientsOfCase = jsonList(
  sql`json_build_object(
    ${columns('client', 'id', 'reference', 'title', 'first_name', 'last_name', 'email', 'phone')},
    ${columns('client', 'unrestored_email')},
    'own_email', case when client.replaced_feed_email is not null then json_build_object(
      'firm_email', client.replaced_feed_email,
      'changed', (
        select json_build_object('at', ${asInstant('entry.occurred_at')}, 'by', entry.actor_name)
        from audit_entries entry
        where entry.subject_kind = 'client' and entry.subject_id = client.id::text
          and entry.action = 'client.email_changed'
        order by entry.occurred_at desc limit 1)) end,
    'own_phone', case when client.phone_changed_at is not null then json_build_object(
      'firm_phone', client.replaced_feed_phone, 'changed_at', ${asInstant('client.phone_changed_at')},
      'is_recent', ${isNewPhone}, 'former_phone', case when ${isNewPhone} then client.former_phone end) end,
    'is_activated', client.password_hash is not null, 'is_disabled', client.disabled_at is not null,
    'invitation', (
      select json_build_object(
        'state', case when link.used_at is not null then 'used' when link.expires_at <= ${now} then 'expired'
          else 'open' end,
        'is_reset', link.purpose = 'reset',
        'sent_at', ${asInstant('link.created_at')}, 'expires_at', ${asInstant('link.expires_at')})
      from password_links link where link.client_id = client.id and link.purpose in ('invitation', 'reset')
      order by link.created_at desc limit 1),
    'last_signed_in_at', ${asInstant(`greatest(
      (select max(session.created_at) from sessions session where session.client_id = client.id),
      (select max(device.last_used_at) from known_devices device where device.client_id = client.id))`)},
    'open_sessions', (
      select count(*) from sessions session
      where session.client_id = client.id and session.revoked_at is null and session.expires_at > ${now}))`,
  {
    query: sql`
      from case_clients membership join clients client on client.id = membership.client_id
      where membership.case_id = conveyancing_case.id`,
    order: sql`client.reference`,
  },
);

export const mattersOfCase: SQL = jsonList(
  sql`json_build_object(${columns('matter', 'id', 'matter_type', 'status', 'property', 'parties')}, ${origin('matter')},
      ${columns('matter', 'target_exchange_on', 'target_completion_on', 'exchanged_on', 'completed_on')},
      'milestones', ${jsonList(
        sql`json_build_object('shown', ${milestoneJson}, 'version', ${versionOf('milestone')},
          'own_waiting_for', milestone.waiting_for, 'own_waiting_since', milestone.waiting_since)`,
        {
          query: sql`from milestones milestone where milestone.matter_id = matter.id`,
          order: sql`milestone.position`,
        },
      )})`,
  {
    query: sql`from matters matter where matter.case_id = conveyancing_case.id`,
    order: sql`matter.position, matter.id`,
  },
);

export const searchesOfCase: SQL = jsonList(
  sql`json_build_object('shown', ${caseSearch}, ${origin('search')},
      'money', case when payment.id is not null then json_build_object(
        ${columns('payment', 'id', 'status', 'amount', 'refunded_amount', 'method')},
        'client', ${nameOf('paying')}, 'started_at', ${asInstant('payment.created_at')},
        ${instants('payment', 'paid_at')},
        'is_under_way', payment.status in (${literals(openPaymentStatuses)}),
        'dispute', payment.dispute_status) end)`,
  {
    query: sql`
        from (select conveyancing_case.id, conveyancing_case.status) conveyancing_case ${searchesWithPayments}
        left join clients paying on paying.id = coalesce(payment.confirmed_by, payment.client_id)`,
    order: sql`matter.position, search.position, search.id`,
  },
);

export const documentsOfCase = jsonList(
  sql`json_build_object(${columns('document', 'id', 'matter_id', 'title', 'file_name', 'media_type', 'size', 'pages')},
    ${origin('document')}, 'group', document."group",
    ${columns('document', 'sha256', 'uploaded_by', 'signing', 'binds_on', 'received_on', 'confirm_identity')},
    ${instants('document', 'shared_at', 'withdrawn_at')}, 'supersedes', document.supersedes_id,
    'superseded_by', (
      select newer.id from documents newer where newer.supersedes_id = document.id and newer.withdrawn_at is null
      order by newer.shared_at desc, newer.id limit 1),
    'reads', ${jsonList(
      sql`json_build_object('client', ${nameOf('reader')}, 'read_at', ${asInstant('reading.read_at')})`,
      {
        query: sql`
          from document_reads reading join clients reader on reader.id = reading.client_id
          where reading.document_id = document.id`,
        order: sql`reading.read_at`,
      },
    )},
    'seen_by', ${jsonList(
      sql`json_build_object('client', ${nameOf('seeing')}, 'seen_at', ${asInstant('seen.at')})`,
      {
        query: sql`
          from (
            select client_id, min(at) as at from (
              select client_id, read_at as at from document_reads where document_id = document.id
              union all select client_id, delivered_at from document_deliveries where document_id = document.id) times
            group by client_id) seen
          join clients seeing on seeing.id = seen.client_id`,
        order: sql`seen.at`,
      },
    )},
    'signatures', ${jsonList(
      sql`json_build_object('client', ${nameOf('signer')}, 'signed_at', ${asInstant('signature.signed_at')})`,
      {
        query: sql`
          from document_signatures signature join clients signer on signer.id = signature.client_id
          where signature.document_id = document.id`,
        order: sql`signature.position`,
      },
    )})`,
  {
    query: sql`
      from matters of_case join documents document on document.matter_id = of_case.id
      where of_case.case_id = conveyancing_case.id`,
    order: sql`document.shared_at desc, document.created_at desc, document.reference`,
  },
);

export const tasksOfCase = jsonList(
  sql`json_build_object(${columns('task', 'id', 'kind', 'title', 'explanation', 'due_on', 'status', 'amount')},
    ${origin('task')}, ${columns('task', 'matter_id', 'case_search_id', 'document_id')})`,
  {
    query: sql`from tasks task where task.case_id = conveyancing_case.id`,
    order: sql`(task.status = 'open') desc, task.due_on asc nulls last, task.position, task.reference`,
  },
);

export const paymentsOfCase = jsonList(
  sql`json_build_object(
    ${columns('payment', 'id', 'status', 'category', 'description', 'method', 'amount', 'refunded_amount')},
    'client', ${nameOf('paying')}, 'started_at', ${asInstant('payment.created_at')}, ${instants('payment', 'paid_at')},
    ${columns('payment', 'case_search_id', 'bill_id')}, 'under_review', payment.review_reason is not null,
    'dispute', payment.dispute_status)`,
  {
    query: sql`
      from (
        select * from payments where case_id = conveyancing_case.id and status <> 'cancelled'
        order by created_at desc, id limit 50) payment
      join clients paying on paying.id = coalesce(payment.confirmed_by, payment.client_id)`,
    order: sql`payment.created_at desc, payment.id`,
  },
);

/** Writes an entry of the history of the row `entry`. */
export const historyEntry = sql`json_build_object(${entityFields('entry')}, ${instants('entry', 'occurred_at')},
  ${columns('entry', 'category', 'actor', 'summary', 'link')})`;

export const historyOfCase = jsonList(historyEntry, {
  query: sql`
    from (
      select * from history_entries where case_id = conveyancing_case.id
      order by occurred_at desc, id desc limit 30) entry`,
  order: sql`entry.occurred_at desc, entry.id desc`,
});
