-- Runs when the transaction commits, so that transactions wait for each other for the length of a commit
-- only, and one that is rolled back leaves no gap. The function reads what was committed before it got the
-- lock.
create or replace function link_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  former audit_links;
begin
  perform pg_advisory_xact_lock(7208114224);
  select * into former from audit_links order by position desc limit 1;
  insert into audit_links (position, entry_id, hash) values (
    coalesce(former.position, 0) + 1,
    new.id,
    sha256(coalesce(former.hash, decode(repeat('00', 32), 'hex')) || new.content_hash)
  );
  return null;
end $$;
