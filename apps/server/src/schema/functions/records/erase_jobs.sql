-- Deletes jobs that name one of these ids, or the address of one of these clients. Those that a server is
-- working on end by themselves.
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
