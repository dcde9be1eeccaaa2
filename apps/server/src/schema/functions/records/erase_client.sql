-- Erases a client. Their cases must be erased before, or stay for other clients. A restored backup may have
-- the client alone on a case that stayed for a client who was added later: the case stays, and the next case
-- feed adds its clients.
create or replace function erase_client(erasure bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
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
  -- Their requests to order stay in the file of the joint client, as what they signed does.
  update documents set uploaded_by = 'Former client'
    where reference in (select 'desk-' || id from payments where confirmed_by = target);
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
  update clients set
    reference = 'erased-' || id, title = null, first_name = 'Former', last_name = 'client',
    email = 'erased-' || id || '@erased.invalid', phone = null, password_hash = null, active_case_id = null,
    feed_hash = null, feed_sent_at = null, replaced_feed_email = null, unrestored_email = null,
    email_change_mailed_at = null, phone_changed_at = null, replaced_feed_phone = null, former_phone = null,
    recent_phones = '{}',
    disabled_at = now(), erased_at = now(), updated_at = now()
  where id = target;
end $$;
