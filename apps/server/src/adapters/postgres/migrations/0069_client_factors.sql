-- The second factors of clients, as those of staff (0049).
create table client_factors (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
  kind text not null check (kind in ('authenticator', 'passkey')),
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz(3) not null,
  active_at timestamptz(3),
  last_used_at timestamptz(3),
  secret bytea,
  last_step bigint,
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  check ((kind = 'authenticator') = (secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null))
);
create index client_factors_client on client_factors (client_id);

create table client_recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index client_recovery_codes_client on client_recovery_codes (client_id);

create table client_challenges (
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  challenge text not null,
  expires_at timestamptz(3) not null,
  primary key (browser_hash, purpose)
);
create index client_challenges_age on client_challenges (expires_at);

-- When the client last proved who they are: at sign-in, or for a change of how they sign in.
alter table sessions add column confirmed_at timestamptz not null default now();

-- Whether the password has fewer characters than one needs without a second factor. The last factor then stays.
alter table clients add column has_short_password boolean not null default false;

-- After the firm has reset a client's sign-in.
alter table password_links drop constraint password_links_purpose_check;
alter table password_links add constraint password_links_purpose_check
  check (purpose in ('invitation', 'forgotten', 'reset'));
