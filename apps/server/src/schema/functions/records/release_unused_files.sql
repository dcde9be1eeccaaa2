-- Only an erasure deletes documents. Their former files are removed with them.
create or replace function release_unused_files() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into unused_files (sha256, document_id, unused_since)
    select sha256, null, '-infinity' from unused_files where document_id = old.id
    on conflict (sha256, document_id) do update set unused_since = '-infinity';
  delete from unused_files where document_id = old.id;
  return null;
end $$;
