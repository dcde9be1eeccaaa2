-- Staff of the firm. Rows are kept, because the audit log names staff by id.
create table staff (
  id uuid primary key,
  email text not null check (length(email) between 3 and 320),
  name text check (length(name) between 1 and 200),
  role text not null check (role in ('handler', 'finance', 'admin')),
  state text not null check (state in ('invited', 'active', 'disabled')),
  password_hash text,
  -- When the invitation was accepted; null again after a reset.
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (state <> 'active' or (name is not null and password_hash is not null and accepted_at is not null))
);
create unique index staff_email on staff (lower(email));
create trigger staff_kept before delete or truncate on staff
  for each statement execute function refuse_change();

-- Links with which a member chooses a name and a password. Only the SHA-256 of their token is stored.
create table staff_invitations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  withdrawn_at timestamptz(3)
);
create index staff_invitations_staff on staff_invitations (staff_id, created_at);

-- Only the SHA-256 of the token in the cookie is stored. The id names the session in lists.
create table staff_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique,
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- When a second factor was last presented; with an invitation, when it was accepted.
  confirmed_at timestamptz(3) not null,
  address text not null,
  user_agent text check (length(user_agent) <= 300)
);
create index staff_sessions_staff on staff_sessions (staff_id);
create index staff_sessions_age on staff_sessions (expires_at);

-- Browsers on which a member has signed in, as `known_devices` for clients.
create table staff_devices (
  token_hash bytea not null check (octet_length(token_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (token_hash, staff_id)
);
create index staff_devices_staff on staff_devices (staff_id);
create index staff_devices_age on staff_devices (last_used_at);
