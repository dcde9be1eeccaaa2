-- What there is to do and to pay in a case, and what has happened in it.

create table case_searches (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  reference text not null unique,
  code text not null,
  name text not null,
  supplier text not null,
  explanation text not null,
  price_net integer not null check (price_net >= 0),
  price_vat_rate numeric(5,2) not null check (price_vat_rate >= 0::numeric),
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
  sent_status text,
  feed_sent_at timestamptz(3),
  constraint case_searches_check check (price_gross = (price_net + price_vat))
);
create index case_searches_matter on case_searches (matter_id);
create index case_searches_to_order on case_searches (paid_at) where status = 'paid';
comment on table case_searches is
  'Searches of a matter, such as the environmental search, with their price and result.';
comment on column case_searches.sent_status is
  'What the firm''s case system last sent. A search is offered again only when the firm asks for that.';
comment on index case_searches_to_order is
  'For Today, like the other indexes with a condition: few rows, whatever the number of cases.';

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
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3)
);
create index tasks_case on tasks (case_id);
create index tasks_case_search on tasks (case_search_id) where case_search_id is not null;
create index tasks_document on tasks (document_id) where document_id is not null;
create index tasks_due on tasks (due_on) where status = 'open' and due_on is not null;
comment on table tasks is 'What clients are asked to do.';

create table history_entries (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  reference text unique,
  occurred_at timestamptz not null,
  category text not null check (category in ('milestone', 'search', 'document', 'payment', 'message', 'case')),
  actor text not null,
  summary text not null,
  link text,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3)
);
create index history_entries_newest on history_entries (case_id, occurred_at desc, id desc);
comment on table history_entries is 'What has happened in a case, as clients read it.';

create table bills (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  matter_id uuid references matters on delete cascade,
  reference text not null unique,
  number text not null,
  description text not null,
  issued_on date not null,
  net integer not null check (net > 0),
  vat_rate double precision not null
    check (vat_rate >= 0::double precision and vat_rate <= 100::double precision),
  vat integer not null check (vat >= 0),
  status text not null check (status in ('issued', 'cancelled')),
  paid_otherwise integer not null check (paid_otherwise >= 0),
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  due_on date,
  due_on_completion boolean not null default false,
  feed_sent_at timestamptz(3),
  constraint bills_check check (not due_on_completion or due_on is null and matter_id is not null)
);
create index bills_due on bills (coalesce(due_on, issued_on))
  where status = 'issued' and not due_on_completion and paid_otherwise < (net + vat);
create index bills_due_on_completion on bills (matter_id)
  where status = 'issued' and due_on_completion and paid_otherwise < (net + vat);
create index bills_of_case on bills (case_id);
comment on table bills is
  'The firm''s bills, from the feed. Only a payment of a bill is the firm''s own money (SRA Accounts Rules '
  '2.1(d)).';
comment on column bills.matter_id is 'Null for a bill for the case as a whole.';
comment on column bills.net is 'Pence.';
comment on column bills.paid_otherwise is 'Pence that the firm received by other means than by card in Keyturn.';
comment on column bills.due_on is 'Null with `due_on_completion` false: due when it was issued.';
comment on column bills.due_on_completion is 'Due when its matter completes.';
