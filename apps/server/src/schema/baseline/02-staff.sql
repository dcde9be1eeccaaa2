-- The firm's staff: accounts, sessions and second factors.

create table staff (
  id uuid primary key,
  email text not null check (length(email) >= 3 and length(email) <= 320),
  name text check (length(name) >= 1 and length(name) <= 200),
  role text not null check (role in ('handler', 'finance', 'admin')),
  state text not null check (state in ('invited', 'active', 'disabled')),
  password_hash text,
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint staff_check
    check (state <> 'active' or name is not null and password_hash is not null and accepted_at is not null)
);
create unique index staff_email on staff (lower(email));
comment on table staff is 'Staff of the firm. Rows are kept, because the audit log names staff by id.';
comment on column staff.accepted_at is 'When the invitation was accepted; null again after a reset.';

create table staff_invitations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  withdrawn_at timestamptz(3)
);
create index staff_invitations_staff on staff_invitations (staff_id, created_at);
comment on table staff_invitations is
  'Links with which a member chooses a name and a password. Only the SHA-256 of their token is stored.';

create table staff_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique,
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  confirmed_at timestamptz(3) not null,
  address text not null,
  user_agent text check (length(user_agent) <= 300)
);
create index staff_sessions_age on staff_sessions (expires_at);
create index staff_sessions_staff on staff_sessions (staff_id);
comment on table staff_sessions is
  'Only the SHA-256 of the token in the cookie is stored. The id names the session in lists.';
comment on column staff_sessions.confirmed_at is
  'When a second factor was last presented; with an invitation, when it was accepted.';

create table staff_devices (
  token_hash bytea not null check (octet_length(token_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (token_hash, staff_id)
);
create index staff_devices_age on staff_devices (last_used_at);
create index staff_devices_staff on staff_devices (staff_id);
comment on table staff_devices is 'Browsers on which a member has signed in, as `known_devices` for clients.';

create table staff_factors (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  kind text not null check (kind in ('authenticator', 'passkey')),
  name text not null check (length(name) >= 1 and length(name) <= 100),
  created_at timestamptz(3) not null,
  active_at timestamptz(3),
  last_used_at timestamptz(3),
  secret bytea,
  last_step bigint,
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  constraint staff_factors_check check ((kind = 'authenticator') = (secret is not null)),
  constraint staff_factors_check1
    check ((kind = 'passkey') = (credential_id is not null and public_key is not null
    and counter is not null))
);
create index staff_factors_staff on staff_factors (staff_id);
comment on table staff_factors is 'The second factors of staff: authenticator apps and passkeys.';
comment on column staff_factors.active_at is 'Null until a code of the authenticator app has shown that it works.';
comment on column staff_factors.secret is
  'Of an authenticator app: its encrypted secret, and the last 30 seconds of which a code was accepted.';
comment on column staff_factors.credential_id is 'Of a passkey.';

create table staff_recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  disabled_at timestamptz(3)
);
create index staff_recovery_codes_staff on staff_recovery_codes (staff_id);
comment on table staff_recovery_codes is 'Each works once instead of a code. Only their SHA-256 is stored.';

create table staff_challenges (
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  challenge text not null,
  expires_at timestamptz(3) not null,
  primary key (browser_hash, purpose)
);
create index staff_challenges_age on staff_challenges (expires_at);
comment on table staff_challenges is
  'Challenges that a browser has to sign with a passkey, one for each browser and purpose. They are deleted '
  'when used.';
comment on column staff_challenges.browser_hash is
  'SHA-256 of the browser''s cookie: that of its session, or that of a sign-in that has started.';
