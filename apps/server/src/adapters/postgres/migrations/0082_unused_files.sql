-- Files that a document or an upload no longer has. They stay for a while, because a database that is recovered to an
-- earlier moment needs them. An erasure of the case removes them at once.
create table unused_files (
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Null for an upload that no document had.
  document_id uuid,
  unused_since timestamptz(3) not null default now(),
  unique nulls not distinct (sha256, document_id)
);
create index unused_files_document on unused_files (document_id);

create function note_unused_file() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into unused_files (sha256, document_id)
    select old.sha256, case when tg_table_name = 'documents' then (to_jsonb(old) ->> 'id')::uuid end
    -- A file that a document had is noted even if it is used elsewhere, and kept as long as it is.
    where tg_table_name = 'documents' or (
      not exists (select from documents where sha256 = old.sha256)
      and not exists (select from feed_files where sha256 = old.sha256))
    on conflict (sha256, document_id) do update set unused_since = now();
  return null;
end $$;
create trigger documents_unused_file after update of sha256 on documents
  for each row when (old.sha256 <> new.sha256) execute function note_unused_file();
create trigger feed_files_unused_file after delete on feed_files
  for each row execute function note_unused_file();
create trigger feed_files_replaced_file after update of sha256 on feed_files
  for each row when (old.sha256 <> new.sha256) execute function note_unused_file();

-- Only an erasure deletes documents. Their former files are removed with them.
create function release_unused_files() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into unused_files (sha256, document_id, unused_since)
    select sha256, null, '-infinity' from unused_files where document_id = old.id
    on conflict (sha256, document_id) do update set unused_since = '-infinity';
  delete from unused_files where document_id = old.id;
  return null;
end $$;
create trigger documents_release_files after delete on documents
  for each row execute function release_unused_files();

-- Deletes jobs that name one of these ids, or the address of one of these clients. Those that a server is working on end
-- by themselves.
create or replace function erase_jobs(erasure bigint, ids uuid[]) returns void language plpgsql as $$
declare
  address text;
begin
  perform erase_rows(erasure, 'graphile_worker._private_jobs',
    'locked_at is null and payload::text ~ array_to_string($1, ''|'')', ids);
  for address in select lower(unnest(array[email, replaced_feed_email])) from clients where id = any(ids) loop
    delete from graphile_worker._private_jobs
      where locked_at is null and position(to_json(address)::text in lower(payload::text)) > 0;
  end loop;
end $$;

-- Replaces a client's name in the history that Keyturn wrote: that they signed, that they paid, and that they were asked to
-- pay, in which the first word of their first name stands. Entries of the feed and the desk have a reference.
create function redact_history(client uuid) returns void language plpgsql as $$
declare
  called text;
  first text;
  full_name text;
  asked constant text := 'We asked ';
  for_what constant text := ' to pay for: ';
begin
  select split_part(first_name, ' ', 1), first_name, first_name || ' ' || last_name
    into called, first, full_name from clients where id = client;
  update history_entries set
    actor = case when actor = full_name then 'Former client' else actor end,
    summary = case
      when reference is not null then summary
      when actor = full_name and starts_with(summary, first || ' paid ')
        then 'Former client' || substr(summary, length(first) + 1)
      when actor = full_name and starts_with(summary, full_name || ' signed ')
        then 'Former client' || substr(summary, length(full_name) + 1)
      when starts_with(summary, asked) and position(for_what in summary) > 0
        then asked || array_to_string(array_replace(string_to_array(
            substr(split_part(summary, for_what, 1), length(asked) + 1), ' and '), called, 'Former client'), ' and ')
          || substr(summary, position(for_what in summary))
      else summary end
  where case_id in (
      select case_id from case_clients where client_id = client
      union select case_id from payments where client in (client_id, confirmed_by)
      union select case_id from document_signatures s
        join documents d on d.id = s.document_id join matters m on m.id = d.matter_id where s.client_id = client)
    and (actor = full_name or (reference is null and position(called in summary) > 0));
end $$;

-- As before, but the summaries of history entries lose the client’s name too.
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
  update clients set
    reference = 'erased-' || id, title = null, first_name = 'Former', last_name = 'client',
    email = 'erased-' || id || '@erased.invalid', phone = null, password_hash = null, active_case_id = null,
    feed_hash = null, feed_sent_at = null, replaced_feed_email = null, unrestored_email = null,
    email_change_mailed_at = null,
    disabled_at = now(), erased_at = now(), updated_at = now()
  where id = target;
end $$;
