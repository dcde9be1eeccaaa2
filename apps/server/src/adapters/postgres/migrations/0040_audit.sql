-- Each audited act, with its actor, subject, time and address. Rows are only added.
create table audit_entries (
  id uuid primary key,
  occurred_at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('staff', 'feed_key', 'client', 'command_line', 'system')),
  actor_id text,
  -- As it was then.
  actor_name text not null,
  -- The server has the list of actions, so that a new one needs no migration.
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject_kind text not null,
  subject_id text,
  address text,
  before jsonb,
  after jsonb,
  -- SHA-256 of the canonical form of everything above.
  content_hash bytea not null check (octet_length(content_hash) = 32)
);
create index audit_entries_actor on audit_entries (actor_id, occurred_at);
create index audit_entries_subject on audit_entries (subject_id, occurred_at);
create index audit_entries_occurred on audit_entries (occurred_at);
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- The order of the entries. Each hash covers the entry and the former hash.
create table audit_links (
  position bigint primary key,
  entry_id uuid not null unique references audit_entries on delete restrict,
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger audit_links_append_only before update or delete or truncate on audit_links
  for each statement execute function refuse_change();

-- Runs when the transaction commits, so that transactions wait for each other for the length of a commit only, and one
-- that is rolled back leaves no gap. The function reads what was committed before it got the lock.
create function link_audit_entry() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
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
create constraint trigger audit_entries_link after insert on audit_entries
  deferrable initially deferred for each row execute function link_audit_entry();
