-- Remembers a file that its document or upload no longer has.
create or replace function note_unused_file() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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
