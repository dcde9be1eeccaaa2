-- Sessions and the throttling of sign-in. Both hold across every server on this database.

create table sessions (
  -- SHA-256 of the access token; the token itself is kept nowhere.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz not null default now(),
  -- The absolute end. The idle end is last_used_at plus the configured limit.
  expires_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index sessions_client on sessions (client_id);
create index sessions_expiry on sessions (expires_at);

-- Failed sign-ins of the last minutes, by email and by address (SHA-256 of each: no personal data is kept).
create table login_failures (
  id bigint generated always as identity primary key,
  subject bytea not null,
  failed_at timestamptz not null default now()
);
create index login_failures_subject on login_failures (subject, failed_at);
