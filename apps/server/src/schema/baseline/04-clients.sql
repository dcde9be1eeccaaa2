-- Clients: accounts, sessions, second factors, and the limits on guessing passwords, which hold across all servers.

create table clients (
  id uuid primary key,
  reference text not null unique,
  title text,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  password_hash text,
  active_case_id uuid references conveyancing_cases on delete set null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  email_change_mailed_at timestamptz(3),
  feed_sent_at timestamptz(3),
  has_short_password boolean not null default false,
  replaced_feed_email text,
  disabled_at timestamptz(3),
  unrestored_email text,
  erased_at timestamptz(3),
  phone_changed_at timestamptz(3),
  replaced_feed_phone text,
  former_phone text,
  recent_phones text[] not null default '{}'
);
create unique index clients_email on clients (lower(email));
create index clients_erased on clients (erased_at) where erased_at is not null;
create index clients_unrestored on clients (id) where unrestored_email is not null;
comment on table clients is 'The firm''s clients, who sign in to see their cases.';
comment on column clients.email_change_mailed_at is
  'When a mail last reported to the client that their email address was changed: at most one an hour, so that '
  'no feed key can mail any number of addresses.';
comment on column clients.feed_sent_at is
  'Staff edit records of the case feed at the desk. An edit keeps the hash of what the feed sent, so that '
  'sending the same again leaves it alone, and the desk shows when the feed last sent a record with a change.';
comment on column clients.has_short_password is
  'Whether the password has fewer characters than one needs without a second factor. The last factor then '
  'stays.';
comment on column clients.replaced_feed_email is
  'The address that the firm''s system still sends, while the client has replaced it: their own address then '
  'stays.';
comment on column clients.disabled_at is
  'A disabled client cannot sign in. Their cases and records stay as they are.';
comment on column clients.unrestored_email is
  'The address that a client wanted back when they stopped a change of it, and that another client has by '
  'then. No link is mailed to the client until they have another address.';
comment on column clients.erased_at is
  'A client who is erased but has signed or paid in a case that stays for its other clients. Only the id is '
  'left.';
comment on column clients.phone_changed_at is
  'When the client last changed the phone number themselves; null while the firm''s number counts.';
comment on column clients.replaced_feed_phone is
  'The number that the firm''s system last sent, while the client has changed theirs: their own number then '
  'stays. Null if it sent none.';
comment on column clients.former_phone is
  'The number before the client''s changes of the last days, so that a thief''s number is not called back.';
comment on column clients.recent_phones is
  'What the client set in the changes of the last days; a null in it is a removal. If the firm''s system has '
  'copied one of them, it is not a number of the firm.';

create table case_clients (
  case_id uuid not null references conveyancing_cases on delete cascade,
  client_id uuid not null references clients on delete cascade,
  primary key (case_id, client_id)
);
create index case_clients_client on case_clients (client_id);
comment on table case_clients is 'The clients who may see a case. Joint owners are several rows.';

create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  revoked_at timestamptz,
  confirmed_at timestamptz not null default now(),
  id uuid not null default gen_random_uuid(),
  device text,
  signed_in_with text not null default 'password',
  stepped_up_at timestamptz(3),
  stepped_up_with text,
  device_hash bytea check (octet_length(device_hash) = 32),
  constraint sessions_step_up check ((stepped_up_at is null) = (stepped_up_with is null))
);
create index sessions_client on sessions (client_id);
create index sessions_expiry on sessions (expires_at);
create unique index sessions_id on sessions (id);
comment on table sessions is 'Sessions of clients.';
comment on column sessions.token_hash is 'SHA-256 of the access token, which is not stored.';
comment on column sessions.expires_at is 'The absolute end. The idle end is last_used_at plus the configured limit.';
comment on column sessions.confirmed_at is
  'When the client last proved who they are: at sign-in, or for a change of how they sign in.';
comment on column sessions.device is 'The browser in plain words. Its own description is not stored.';
comment on column sessions.stepped_up_at is
  'When the client last confirmed their identity during the session. Unlike `confirmed_at`, the sign-in does '
  'not count.';
comment on column sessions.device_hash is
  'The known device on which a session was started, so that signing it out forgets the device. Null for older '
  'sessions.';

create table login_failures (
  id bigint generated always as identity primary key,
  subject bytea not null,
  failed_at timestamptz not null default now()
);
create index login_failures_age on login_failures (failed_at);
create index login_failures_subject on login_failures (subject, failed_at);
comment on table login_failures is
  'Failed sign-ins of the last minutes, by email and by address (SHA-256 of each: no personal data is kept).';
comment on index login_failures_age is 'Failures are kept for 24 hours, and the oldest are deleted first.';

create table sign_in_warnings (
  client_id uuid primary key references clients on delete cascade,
  warned_at timestamptz not null
);
comment on table sign_in_warnings is 'When a client was last mailed about a run of wrong passwords.';

create table password_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  purpose text not null check (purpose in ('invitation', 'forgotten', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_links_age on password_links (expires_at);
create index password_links_client on password_links (client_id, created_at);
create index password_links_unanswered on password_links (expires_at)
  where purpose = 'invitation' and used_at is null;
comment on table password_links is
  'Links that set a password: from an invitation, or for a forgotten one. Each works once.';
comment on column password_links.token_hash is 'SHA-256 of the token in the link, which is not stored.';
comment on index password_links_age is 'Password links are deleted some time after they expired.';

create table email_changes (
  client_id uuid primary key references clients on delete cascade,
  email text not null check (length(email) >= 3 and length(email) <= 320),
  former_email text not null,
  confirm_hash bytea unique check (octet_length(confirm_hash) = 32),
  stop_hash bytea unique check (octet_length(stop_hash) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  stoppable_until timestamptz(3) not null,
  confirmed_at timestamptz(3),
  new_confirmed_at timestamptz(3),
  former_confirmed_at timestamptz(3)
);
comment on table email_changes is
  'Changes of email addresses that clients have started themselves, the latest of each client. Only the '
  'SHA-256 of the tokens is stored: one is mailed to the new address and makes the change, the other to the '
  'former one and undoes it.';
comment on column email_changes.confirm_hash is 'Null until its mail is sent.';
comment on column email_changes.expires_at is 'The new address can be confirmed until then.';
comment on column email_changes.stoppable_until is 'The former address can stop the change until then, or undo it.';

create table known_devices (
  token_hash bytea not null check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  awaits_sign_in boolean not null default false,
  primary key (token_hash, client_id)
);
create index known_devices_age on known_devices (last_used_at);
create index known_devices_client on known_devices (client_id);
comment on table known_devices is
  'Browsers on which a client has signed in: wrong passwords that others enter do not lock them out there.';
comment on column known_devices.token_hash is 'SHA-256 of the token in the device''s cookie, which is not stored.';
comment on column known_devices.awaits_sign_in is
  'Whether the device is known through a password link alone: its first sign-in is mailed to the client.';

create table client_factors (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
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
  constraint client_factors_check check ((kind = 'authenticator') = (secret is not null)),
  constraint client_factors_check1
    check ((kind = 'passkey') = (credential_id is not null and public_key is not null
    and counter is not null))
);
create index client_factors_client on client_factors (client_id);
comment on table client_factors is 'The second factors of clients, as `staff_factors` for staff.';

create table client_recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  disabled_at timestamptz(3)
);
create index client_recovery_codes_client on client_recovery_codes (client_id);
comment on table client_recovery_codes is 'Each works once instead of a code. Only their SHA-256 is stored.';
comment on column client_recovery_codes.disabled_at is
  'When a restore ended the use of a code. It counts as used from then on.';

create table client_challenges (
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  challenge text not null,
  expires_at timestamptz(3) not null,
  primary key (browser_hash, purpose)
);
create index client_challenges_age on client_challenges (expires_at);
comment on table client_challenges is
  'Challenges that a browser has to sign with a passkey, one for each browser and purpose. They are deleted '
  'when used.';
