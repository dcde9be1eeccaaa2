-- The firm, its clients and their cases, as the case feed brings them. `reference` is the firm's own key.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- Which data this installation holds. Demonstration data never goes where real data is.
  holds text not null default 'nothing' check (holds in ('nothing', 'demonstration', 'real')),
  firm jsonb,
  -- What this installation signs with; never leaves the server.
  secret text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  updated_at timestamptz not null default now()
);
insert into installation default values;

create table conveyancing_cases (
  id uuid primary key,
  reference text not null unique,
  title text not null,
  status text not null check (status in ('active', 'on_hold', 'completed', 'abandoned')),
  handlers jsonb not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

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
  updated_at timestamptz not null default now()
);
create unique index clients_email on clients (lower(email));

-- Who may see a case. Joint owners are several rows.
create table case_clients (
  case_id uuid not null references conveyancing_cases on delete cascade,
  client_id uuid not null references clients on delete cascade,
  primary key (case_id, client_id)
);
create index case_clients_client on case_clients (client_id);

create table matters (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  reference text not null unique,
  matter_type text not null check (matter_type in ('sale', 'purchase', 'remortgage', 'transfer-of-equity')),
  status text not null check (status in ('active', 'on_hold', 'completed', 'abandoned')),
  property jsonb not null,
  target_exchange_on date,
  target_completion_on date,
  exchanged_on date,
  completed_on date,
  parties jsonb not null default '[]',
  position integer not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index matters_case on matters (case_id);

create table milestones (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  key text not null,
  title text not null,
  explanation text not null,
  stage_title text not null,
  stage_position integer not null,
  key_moment boolean not null default false,
  actor text not null check (actor in ('you', 'us', 'other_side', 'third_party')),
  waiting_for text,
  status text not null check (status in ('done', 'current', 'upcoming', 'blocked', 'not_needed')),
  reached_on date,
  expected_from date,
  expected_to date,
  waiting_since date,
  usual_days_from integer,
  usual_days_to integer,
  next_update_by date,
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (matter_id, key),
  check (expected_from <= expected_to),
  check (usual_days_from <= usual_days_to)
);

create table documents (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  reference text not null unique,
  "group" text not null,
  title text not null,
  file_name text not null,
  media_type text not null,
  size integer not null check (size >= 0),
  pages integer,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  uploaded_by text not null,
  shared_at timestamptz not null,
  supersedes_id uuid references documents on delete set null,
  signature_required boolean not null default false,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index documents_matter on documents (matter_id);

create table document_reads (
  document_id uuid not null references documents on delete cascade,
  client_id uuid not null references clients on delete cascade,
  read_at timestamptz not null default now(),
  primary key (document_id, client_id)
);

create table case_searches (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  reference text not null unique,
  code text not null,
  name text not null,
  supplier text not null,
  explanation text not null,
  price_net integer not null check (price_net >= 0),
  price_vat_rate numeric(5, 2) not null check (price_vat_rate >= 0),
  price_vat integer not null check (price_vat >= 0),
  price_gross integer not null,
  refund_rule text not null,
  required_by text not null check (required_by in ('lender', 'firm', 'optional')),
  status text not null
    check (status in ('awaiting_payment', 'paid', 'ordered', 'returned', 'reviewed', 'cancelled')),
  expected_on date,
  paid_at timestamptz,
  ordered_at timestamptz,
  returned_at timestamptz,
  valid_until date,
  delayed_reason text,
  outcome text check (outcome in ('clear', 'attention')),
  outcome_summary text,
  result_document_id uuid references documents on delete set null,
  position integer not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (price_gross = price_net + price_vat)
);
create index case_searches_matter on case_searches (matter_id);

create table tasks (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  matter_id uuid references matters on delete cascade,
  reference text not null unique,
  kind text not null check (kind in ('pay_search', 'pay', 'read_document', 'sign_document', 'contact_us')),
  title text not null,
  explanation text not null,
  due_on date,
  status text not null check (status in ('open', 'done')),
  case_search_id uuid references case_searches on delete cascade,
  document_id uuid references documents on delete cascade,
  amount integer check (amount > 0),
  position integer not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index tasks_case on tasks (case_id);

create table history_entries (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  reference text unique,
  occurred_at timestamptz not null,
  category text not null
    check (category in ('milestone', 'search', 'document', 'payment', 'message', 'case')),
  actor text not null,
  summary text not null,
  link text,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index history_entries_newest on history_entries (case_id, occurred_at desc, id desc);
