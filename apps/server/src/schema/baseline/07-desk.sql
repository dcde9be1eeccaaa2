-- What the desk derives from cases to list them, and what staff decide about the items of Today.

create table case_summaries (
  case_id uuid primary key references conveyancing_cases on delete cascade,
  reference text not null,
  status text not null,
  handlers text[] not null,
  matter_types text[] not null,
  steps text[] not null,
  actors text[] not null,
  promised_on date not null,
  last_update_at timestamptz not null,
  expires_on date not null,
  words tsvector not null
);
create index case_summaries_expiry on case_summaries (expires_on) where expires_on < 'infinity'::date;
create index case_summaries_handlers on case_summaries using gin (handlers);
create index case_summaries_last_update on case_summaries (last_update_at, reference);
create index case_summaries_promise on case_summaries (promised_on, reference);
create index case_summaries_reference on case_summaries (reference);
create index case_summaries_steps on case_summaries using gin (steps);
create index case_summaries_words on case_summaries using gin (words);
comment on table case_summaries is
  'One row for each case, derived from its records by triggers, so that searching, filtering and sorting '
  '100,000 cases needs only this table. Nothing else writes it.';
comment on column case_summaries.handlers is 'Email addresses in lower case.';
comment on column case_summaries.steps is 'The keys of the steps under way, and who usually does them.';
comment on column case_summaries.promised_on is
  'The earliest promised update of a step under way; infinity without one.';
comment on column case_summaries.last_update_at is
  'When the firm last added to the history; -infinity if it never has.';
comment on column case_summaries.expires_on is
  'The earliest day on which a search result that is still needed expires; infinity without one.';

create table case_filter_values (
  kind text not null check (kind in ('handler', 'step')),
  value text not null,
  label text not null,
  primary key (kind, value)
);
comment on table case_filter_values is 'The handlers and steps of all cases, for the choices of the filters.';

create table case_views (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  name text not null check (length(name) >= 1 and length(name) <= 60),
  filter jsonb not null,
  created_at timestamptz(3) not null
);
create unique index case_views_name on case_views (staff_id, lower(name));
comment on table case_views is 'A member''s own filters for the list of cases.';

create table desk_items (
  kind text not null,
  subject_id uuid not null,
  occasion text not null,
  version integer not null check (version > 0),
  assigned_to uuid references staff on delete restrict,
  snoozed_until date,
  done_at timestamptz(3),
  changed_by uuid references staff on delete restrict,
  changed_at timestamptz(3) not null,
  primary key (kind, subject_id)
);
comment on table desk_items is
  'What staff decided about an item of Today. The items themselves are derived from the data and never stored.';
comment on column desk_items.occasion is
  'The row is about the item with this occasion only: a later one of the same subject starts without it.';
comment on column desk_items.changed_by is 'Null if no member of staff changed it.';
