-- Large batches that were sent over HTTP: the records are in a folder of the server that imports them. Kept for a week.
create table feed_batches (
  id uuid primary key,
  key_id uuid not null references feed_keys on delete restrict,
  state text not null check (state in ('waiting', 'importing', 'done', 'failed')),
  records integer not null,
  -- Records that are imported, left alone or rejected so far.
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  -- The first rejected records, with their lines and reasons.
  rejections jsonb not null default '[]',
  -- Why it failed.
  reason text,
  received_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- When its server last said that it still has the records.
  alive_at timestamptz(3) not null default now(),
  check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index feed_batches_age on feed_batches (received_at);
