-- Links that set a password: from an invitation, or for a forgotten one. Each works once.
create table password_links (
  -- SHA-256 of the token in the link; the token itself is kept nowhere.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  purpose text not null check (purpose in ('invitation', 'forgotten')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_links_client on password_links (client_id, created_at);
