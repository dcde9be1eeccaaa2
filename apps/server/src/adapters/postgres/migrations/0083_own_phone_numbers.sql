alter table clients
  -- When the client last changed the phone number themselves; null while the firm's number counts.
  add column phone_changed_at timestamptz(3),
  -- The number that the firm's system last sent, while the client has changed theirs: their own number then stays. Null if it
  -- sent none.
  add column replaced_feed_phone text,
  -- The number before the client's changes of the last days, so that a thief's number is not called back.
  add column former_phone text,
  -- What the client set in the changes of the last days; a null in it is a removal. If the firm's system has copied one of
  -- them, it is not a number of the firm.
  add column recent_phones text[] not null default '{}';

create function record_phone_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.phone_changed', new.phone_changed_at, new.id, new.id);
  return null;
end $$;
create trigger clients_phone_change after update of phone_changed_at on clients for each row
  when (new.phone_changed_at is distinct from old.phone_changed_at and new.phone_changed_at is not null)
  execute function record_phone_change();

-- Leaves the row of a client who is erased, for the records that refer to it, without personal data. A migration that adds a
-- column with personal data replaces this function.
create function anonymise_client(target uuid) returns void language plpgsql as $$
begin
  update clients set
    reference = 'erased-' || id, title = null, first_name = 'Former', last_name = 'client',
    email = 'erased-' || id || '@erased.invalid', phone = null, password_hash = null, active_case_id = null,
    feed_hash = null, feed_sent_at = null, replaced_feed_email = null, unrestored_email = null,
    email_change_mailed_at = null, phone_changed_at = null, replaced_feed_phone = null, former_phone = null,
    recent_phones = '{}', disabled_at = now(), erased_at = now(), updated_at = now()
  where id = target;
end $$;

-- As before, but the row that remains is cleared by `anonymise_client`.
create or replace function erase_client(erasure bigint) returns void language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  target constant uuid := find_erasure(erasure, 'client');
  from_table text;
begin
  if exists (select from erasures where id = erasure and basis <> 'restored') and exists (
    select from case_clients own where client_id = target and not exists (
      select from case_clients other where other.case_id = own.case_id and other.client_id <> target))
  then
    raise exception 'client % has cases', target using errcode = 'restrict_violation';
  end if;
  perform redact_history(target);
  update payment_mails set address = '' where client_id = target;
  -- Every server closes the connections of sessions that end.
  update sessions set revoked_at = now() where client_id = target and revoked_at is null;
  foreach from_table in array array['sessions', 'known_devices', 'password_links', 'client_factors',
    'client_recovery_codes', 'email_changes', 'sign_in_warnings', 'payment_attempts', 'payment_idempotency_keys',
    'payment_links', 'case_clients']
  loop
    perform erase_rows(erasure, from_table, 'client_id = any($1)', array[target]);
  end loop;
  perform erase_rows(erasure, 'webhook_events', 'ordering_key = any($1)', array[target]);
  perform erase_rows(erasure, 'desk_items', 'subject_id = any($1)', array[target]);
  perform erase_jobs(erasure, array[target]);
  update legal_holds set reason = '' where subject_kind = 'client' and subject_id = target;
  if not is_client_referenced(target) then
    perform erase_rows(erasure, 'clients', 'id = any($1)', array[target]);
    return;
  end if;
  perform anonymise_client(target);
end $$;
