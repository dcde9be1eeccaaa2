-- Keys with which a firm's systems call the feed over HTTP. Rows are kept, because the audit log names keys by id.
create table feed_keys (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  -- Such as 'clients:write'.
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create trigger feed_keys_kept before delete or truncate on feed_keys
  for each statement execute function refuse_change();

-- The secrets of a key: one, and during a rotation two. Only their SHA-256 is stored.
create table feed_key_secrets (
  hash bytea primary key check (octet_length(hash) = 32),
  key_id uuid not null references feed_keys on delete restrict,
  created_at timestamptz(3) not null,
  -- Set when the key is rotated: the end of the overlap.
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index feed_key_secrets_key on feed_key_secrets (key_id);
