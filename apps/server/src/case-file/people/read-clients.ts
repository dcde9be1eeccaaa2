import { newPhoneDays } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { asInstant, columns, jsonList } from '../../platform/reads/contract-json.ts';

const now = sql`${sql.placeholder('now')}::timestamptz`;

/** A client who has changed their number back has no new one. */
const isNewPhone = sql`(client.phone_changed_at > ${now} - make_interval(days => ${sql.raw(`${newPhoneDays}`)})
  and client.phone is distinct from client.former_phone)`;

/** Writes the clients of the case in the row `conveyancing_case`, as staff see them. */
export const clientsAtDesk = jsonList(
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
