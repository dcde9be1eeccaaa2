-- How records of the case feed arrive: keys, requests and files of the feed over HTTP, and spreadsheets.

create table feed_keys (
  id uuid primary key,
  name text not null check (length(name) >= 1 and length(name) <= 200),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
comment on table feed_keys is
  'Keys with which a firm''s systems call the feed over HTTP. Rows are kept, because the audit log names keys '
  'by id.';
comment on column feed_keys.scopes is 'Such as ''clients:write''.';

create table feed_key_secrets (
  hash bytea primary key check (octet_length(hash) = 32),
  key_id uuid not null references feed_keys on delete restrict,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index feed_key_secrets_key on feed_key_secrets (key_id);
comment on table feed_key_secrets is
  'The secrets of a key: one, and during a rotation two. Only their SHA-256 is stored.';
comment on column feed_key_secrets.expires_at is 'Set when the key is rotated: the end of the overlap.';

create table feed_requests (
  key_id uuid not null references feed_keys on delete restrict,
  idempotency_key text not null check (length(idempotency_key) >= 1 and length(idempotency_key) <= 255),
  content_hash bytea not null check (octet_length(content_hash) = 32),
  created_at timestamptz(3) not null,
  answer json,
  primary key (key_id, idempotency_key)
);
create index feed_requests_age on feed_requests (created_at);
comment on table feed_requests is
  'Requests of feed keys with an Idempotency-Key: the same request gets the same answer. Kept for a day.';
comment on column feed_requests.content_hash is 'SHA-256 of everything that decides what the request does.';
comment on column feed_requests.answer is 'Null while the request is in progress.';

create table feed_batches (
  id uuid primary key,
  key_id uuid not null references feed_keys on delete restrict,
  state text not null check (state in ('waiting', 'importing', 'done', 'failed')),
  records integer not null,
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  rejections jsonb not null default '[]',
  reason text,
  received_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  alive_at timestamptz(3) not null default now(),
  constraint feed_batches_check check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index feed_batches_age on feed_batches (received_at);
comment on table feed_batches is
  'Large batches that were sent over HTTP: the records are in a folder of the server that imports them. Kept '
  'for a week.';
comment on column feed_batches.done is 'Records that are imported, left alone or rejected so far.';
comment on column feed_batches.rejections is 'The first rejected records, with their lines and reasons.';
comment on column feed_batches.reason is 'Why it failed.';
comment on column feed_batches.alive_at is 'When its server last reported that it still has the records.';

create table feed_files (
  reference text primary key check (length(reference) >= 1 and length(reference) <= 100),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  media_type text not null,
  sent_at timestamptz(3) not null
);
comment on table feed_files is
  'Files of documents that were sent over HTTP, until the record of their document is stored. The content is '
  'in the store of documents.';

create table spreadsheets (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  file_name text not null,
  content bytea,
  columns jsonb not null,
  row_count integer not null,
  state text not null check (state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'failed')),
  done integer not null default 0,
  done_rows integer not null default 0,
  report jsonb,
  rejected_csv text,
  failure text,
  address text,
  started_at timestamptz(3),
  new_clients uuid[] not null default '{}',
  invited integer not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index spreadsheets_age on spreadsheets (expires_at);
create index spreadsheets_member on spreadsheets (staff_id, created_at);
comment on table spreadsheets is
  'Spreadsheets that staff import. The file is kept until it is imported, and for an hour at most; its result '
  'for a day.';
comment on column spreadsheets.columns is 'Headings, the first cells below them, and what they contain.';
comment on column spreadsheets.done is 'Cases that were checked or imported so far, and how many rows they have.';
comment on column spreadsheets.rejected_csv is 'Rows that were not imported, with the reasons.';
comment on column spreadsheets.failure is 'Why nothing could be imported.';
comment on column spreadsheets.address is 'IP address from which the check or the import was started.';
comment on column spreadsheets.started_at is 'When the import started: a case that is newer was created by it.';
comment on column spreadsheets.new_clients is
  'Clients of the imported cases who had neither a password nor an invitation, and how many have been invited.';

create table spreadsheet_headings (
  heading text primary key check (length(heading) <= 100),
  field text,
  used_at timestamptz(3) not null default now()
);
comment on table spreadsheet_headings is
  'What a column with a heading contained in the last import; null: it was left out. Headings without case and '
  'punctuation.';

create table spreadsheet_cases (
  reference text primary key check (length(reference) <= 100),
  cells jsonb not null,
  imported_at timestamptz(3) not null default now()
);
comment on table spreadsheet_cases is
  'The cells of each imported case, as hashes, so that only what has changed in the spreadsheet since is '
  'imported again.';
