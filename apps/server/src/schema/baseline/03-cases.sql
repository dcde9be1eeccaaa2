-- Cases with their matters and steps, as the case feed and the desk store them. `reference` is the firm's own key, and
-- `feed_hash` is that of the record as the feed last sent it.

create table conveyancing_cases (
  id uuid primary key,
  reference text not null unique,
  title text not null,
  status text not null check (status in ('active', 'on_hold', 'completed', 'abandoned')),
  handlers jsonb not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3),
  closed_at timestamptz(3)
);
create index conveyancing_cases_closed_at on conveyancing_cases (closed_at) where closed_at is not null;
comment on table conveyancing_cases is
  'A client''s whole file: one or more matters, such as a sale and the purchase that depends on it.';
comment on column conveyancing_cases.closed_at is
  'When a case was last completed or abandoned; null while it is open.';

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
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3),
  path_version integer not null default 1
);
create index matters_case on matters (case_id);
comment on table matters is 'One transaction of a case: a sale, a purchase, a remortgage or a transfer of equity.';
comment on column matters.path_version is
  'The version of its path that a matter has, so that a change of the path leaves running matters alone.';

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
  waiting_set_at timestamptz,
  usual_weeks_from integer,
  usual_weeks_to integer,
  constraint milestones_check check (expected_from <= expected_to),
  constraint milestones_check1 check (usual_days_from <= usual_days_to),
  constraint milestones_check2 check (usual_weeks_from <= usual_weeks_to),
  unique (matter_id, key)
);
comment on table milestones is 'The steps of a matter.';
comment on column milestones.waiting_set_at is
  'When the case feed last changed `waiting_for` or `waiting_since`. What clients have done since takes '
  'precedence.';
comment on column milestones.usual_weeks_from is
  'Weeks after the instruction at which exchange and completion usually are, as the path of the matter says.';
