-- The second factors of staff: authenticator apps and passkeys.
create table staff_factors (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  kind text not null check (kind in ('authenticator', 'passkey')),
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz(3) not null,
  -- Null until a code of the authenticator app has shown that it works.
  active_at timestamptz(3),
  last_used_at timestamptz(3),
  -- Of an authenticator app: its encrypted secret, and the last 30 seconds of which a code was accepted.
  secret bytea,
  last_step bigint,
  -- Of a passkey.
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  check ((kind = 'authenticator') = (secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null))
);
create index staff_factors_staff on staff_factors (staff_id);

-- Each works once instead of a code. Only their SHA-256 is stored.
create table staff_recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index staff_recovery_codes_staff on staff_recovery_codes (staff_id);

-- Challenges that a browser has to sign with a passkey, one for each browser and purpose. They are deleted when used.
create table staff_challenges (
  -- SHA-256 of the browser's cookie: that of its session, or that of a sign-in that has started.
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  challenge text not null,
  expires_at timestamptz(3) not null,
  primary key (browser_hash, purpose)
);
create index staff_challenges_age on staff_challenges (expires_at);
