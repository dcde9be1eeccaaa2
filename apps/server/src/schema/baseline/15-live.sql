-- Events for open browsers, and what the servers of an installation share.

-- An event before it is written: see broadcast_all.
create type new_event as (channel text, event text, ids text[]);

create table broadcast_events (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  channel text not null,
  event text not null,
  ids text[] not null,
  except_socket text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (transaction_id, channel, event)
);
create index broadcast_events_age on broadcast_events (created_at);
create index broadcast_events_unsent on broadcast_events (id) where sent_at is null;
comment on table broadcast_events is
  'What has changed, for the browsers that show it. An event names what to fetch again, and contains nothing '
  'of it.';
comment on column broadcast_events.transaction_id is
  'All events of a transaction become visible, and are sent, together.';
comment on column broadcast_events.ids is
  'What changed. Empty: everything that the channel is about, or too much to name.';
comment on column broadcast_events.except_socket is
  'The connection whose own request made the change: it has the answer.';
comment on column broadcast_events.sent_at is
  'When a server passed it on to an external broadcaster, if there is one.';

create table oversized_messages (
  id bigint generated always as identity primary key,
  body text not null,
  created_at timestamptz not null default now()
);
comment on table oversized_messages is 'Messages between servers that are too long for NOTIFY.';

create table maintenance (
  area text primary key check (area in ('general', 'case-history')),
  message text check (length(message) >= 1 and length(message) <= 500),
  until timestamptz,
  since timestamptz not null default now()
);
comment on table maintenance is 'One row for each part that is in maintenance.';
comment on column maintenance.message is 'The firm''s own text; null: the usual one.';
comment on column maintenance.until is 'When it is expected to end. It ends when it is switched off.';

create table build_files (
  path text primary key check (length(path) >= 2 and length(path) <= 300),
  content bytea not null,
  is_compressed boolean not null,
  served_at timestamptz(3) not null
);
alter table build_files alter column content set storage external;
create index build_files_served_at on build_files (served_at);
comment on table build_files is
  'The files of the builds that servers serve, or have served in the last day, for servers of other builds.';
comment on column build_files.path is
  'As browsers ask for it, such as /assets/start-x1.js or /desk/assets/start-x1.js.';
comment on column build_files.is_compressed is 'Whether the content is compressed with Brotli.';
comment on column build_files.served_at is 'When a server whose build contains the file last said so.';

create table shared_resources (
  only_row boolean default true primary key check (only_row),
  document_store_id uuid,
  staff_key_hash bytea check (octet_length(staff_key_hash) = 32)
);
comment on table shared_resources is
  'What all servers of this database share besides it: the document store, by its id, and KEYTURN_STAFF_KEY, '
  'by a keyed hash. Null until a server has started.';

insert into shared_resources default values;

create unlogged table request_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table request_counts is
  'Requests of the current window, counted for all servers together. Unlogged: after a crash all windows start '
  'again.';
comment on column request_counts.expire is 'Milliseconds since 1970.';

create table completed_operations (
  operation text primary key check (operation in ('backup', 'audit_verification', 'audit_archive')),
  completed_at timestamptz(3) not null,
  position bigint check (position > 0),
  hash bytea check (length(hash) = 32),
  constraint completed_operations_check check ((position is null) = (hash is null))
);
comment on table completed_operations is
  'When operations that have to happen regularly last succeeded, for the metrics, and how far the audit log '
  'was verified and archived then.';
comment on column completed_operations.position is
  'The last entry of the audit log; null for a backup, and for an empty log.';
