-- What all servers of this database share besides it: the document store, by its id, and KEYTURN_STAFF_KEY, by a keyed
-- hash. Null until a server has started.
create table shared_resources (
  only_row boolean primary key default true check (only_row),
  document_store_id uuid,
  staff_key_hash bytea check (octet_length(staff_key_hash) = 32)
);
insert into shared_resources default values;

-- A restored database, until everything that follows the restore is done.
create table unfinished_restores (
  id uuid primary key default gen_random_uuid(),
  -- The cases and clients that backups list as erased, such as [{"kind": "case", "id": "…"}].
  erased jsonb not null
);

-- When a restore ended the use of a code. It counts as used from then on.
alter table client_recovery_codes add column disabled_at timestamptz(3);
alter table staff_recovery_codes add column disabled_at timestamptz(3);
