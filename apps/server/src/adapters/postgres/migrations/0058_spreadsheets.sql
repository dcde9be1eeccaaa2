-- Spreadsheets that staff import. The file is kept until it is imported, and for an hour at most; what came of it for a day.
create table spreadsheets (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  file_name text not null,
  content bytea,
  -- Headings, the first cells below them, and what they contain.
  columns jsonb not null,
  row_count integer not null,
  state text not null
    check (state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'failed')),
  -- Cases that were checked or imported so far, and how many rows they have.
  done integer not null default 0,
  done_rows integer not null default 0,
  report jsonb,
  -- Rows that were not imported, with the reasons.
  rejected_csv text,
  -- Why nothing could be imported.
  failure text,
  -- IP address from which the check or the import was started.
  address text,
  -- When the import started: a case that is newer was created by it.
  started_at timestamptz(3),
  -- Clients of the imported cases who had neither a password nor an invitation, and how many have been invited.
  new_clients uuid[] not null default '{}',
  invited integer not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index spreadsheets_member on spreadsheets (staff_id, created_at);
create index spreadsheets_age on spreadsheets (expires_at);

-- What a column with a heading contained in the last import; null: it was left out. Headings without case and punctuation.
create table spreadsheet_headings (
  heading text primary key check (length(heading) <= 100),
  field text,
  used_at timestamptz(3) not null default now()
);

-- The cells of each imported case, as hashes, so that only what has changed in the spreadsheet since is imported again.
create table spreadsheet_cases (
  reference text primary key check (length(reference) <= 100),
  cells jsonb not null,
  imported_at timestamptz(3) not null default now()
);
