-- Browsers on which a client has signed in, and what keeps wrong passwords of others from locking the client out.

create table known_devices (
  -- SHA-256 of the token in the device's cookie; the token itself is stored nowhere.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (token_hash, client_id)
);
create index known_devices_client on known_devices (client_id);
create index known_devices_age on known_devices (last_used_at);

-- When a client was last mailed about a run of wrong passwords.
create table sign_in_warnings (
  client_id uuid primary key references clients on delete cascade,
  warned_at timestamptz not null
);

-- Failures are kept for 24 hours, and the oldest are deleted first.
create index login_failures_age on login_failures (failed_at);
