-- What clients did, for the firm's systems: as a list over HTTP, and as outgoing webhooks. Each row is written by the
-- transaction of the fact that it reports.

create table client_changes (
  id bigint generated always as identity primary key,
  position bigint unique,
  type text not null,
  occurred_at timestamptz(3) not null,
  client_id uuid,
  payment_id uuid,
  subject_id uuid not null,
  amount integer,
  outcome text
);
create index client_changes_unread on client_changes (id) where position is null;
comment on table client_changes is
  'What clients did, and what happened to their payments, for firms that ask for it over HTTP.';
comment on column client_changes.position is
  'From 1, without gaps; null until a firm first reads the row. Given only to rows that are committed, so that '
  'a reader never finds a row before one that it has read.';
comment on column client_changes.subject_id is
  'The document, refund or dispute; the payment or client itself otherwise.';
comment on column client_changes.amount is 'Pence.';

create table webhook_endpoints (
  id uuid primary key,
  url text not null check (length(url) >= 1 and length(url) <= 2000),
  description text not null check (length(description) >= 1 and length(description) <= 200),
  event_types text[] check (cardinality(event_types) > 0),
  state text not null check (state in ('enabled', 'disabled', 'deleted')),
  is_gone boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
comment on table webhook_endpoints is
  'Rows are kept, because the audit log names endpoints by id. A deletion would also block transactions that '
  'add deliveries.';
comment on column webhook_endpoints.event_types is 'Null: every event, also of types that later versions add.';
comment on column webhook_endpoints.is_gone is 'The endpoint answered 410 Gone; otherwise an operator disabled it.';

create table webhook_secrets (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete restrict,
  secret bytea not null check (octet_length(secret) >= 24 and octet_length(secret) <= 64),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create index webhook_secrets_endpoint on webhook_secrets (endpoint_id);
comment on table webhook_secrets is
  'The secrets of an endpoint: one, and during a rotation more. Signing needs them as they are.';
comment on column webhook_secrets.expires_at is 'Set when the endpoint gets a new secret: the end of the overlap.';

create table webhook_events (
  id text primary key check (id ~ '^evt_[0-9a-f]{32}$'),
  position bigint generated always as identity unique,
  type text not null,
  occurred_at timestamptz(3) not null,
  ordering_key uuid not null,
  data jsonb not null,
  path text not null,
  created_at timestamptz(3) not null default now()
);
create index webhook_events_age on webhook_events (created_at);
comment on table webhook_events is
  'Facts that are reported to endpoints. None is written while no endpoint wants events of its type.';
comment on column webhook_events.id is
  'Derived from the fact, so that a fact that is recorded again after a restored backup has the same id.';
comment on column webhook_events.ordering_key is
  'Events with the same key, a case or a client, are delivered in the order of their positions.';
comment on column webhook_events.data is 'References of the firm and ids of payments.';
comment on column webhook_events.path is 'The page of the dashboard that shows it.';

create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete restrict,
  event_id text not null references webhook_events on delete cascade,
  position bigint not null,
  ordering_key uuid not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  failures integer not null default 0,
  due_at timestamptz(3) not null default '-infinity',
  leased_until timestamptz(3),
  retry_until timestamptz(3) not null default (now() + '3 days'::interval),
  finished_at timestamptz(3),
  primary key (endpoint_id, event_id),
  constraint webhook_deliveries_check check ((state = 'pending') = (finished_at is null))
);
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, position) where state = 'dead';
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, position)
  where state = 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_leased on webhook_deliveries (endpoint_id, leased_until)
  where leased_until is not null;
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, position);
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, ordering_key, position)
  where state = 'pending';
comment on table webhook_deliveries is 'The delivery of each event to each endpoint.';
comment on column webhook_deliveries.position is 'A copy of the event''s, as is `ordering_key`.';
comment on column webhook_deliveries.state is
  'Dead: not delivered within the time for retries. It can be sent again.';
comment on column webhook_deliveries.attempts is 'All attempts that were started.';
comment on column webhook_deliveries.failures is 'Failed attempts since the event was recorded or sent again.';
comment on column webhook_deliveries.due_at is 'By PostgreSQL''s clock, whatever the clocks of the servers say.';
comment on column webhook_deliveries.leased_until is
  'A server is sending it; after this time that server is assumed dead.';

create table webhook_attempts (
  endpoint_id uuid not null,
  event_id text not null,
  attempt integer not null,
  started_at timestamptz(3) not null,
  milliseconds integer not null,
  status integer,
  error text check (length(error) <= 500),
  primary key (endpoint_id, event_id, attempt),
  constraint webhook_attempts_check check (num_nonnulls(status, error) = 1),
  foreign key (endpoint_id, event_id) references webhook_deliveries(endpoint_id, event_id) on delete cascade
);
comment on table webhook_attempts is 'What each attempt resulted in: a status or an error.';
