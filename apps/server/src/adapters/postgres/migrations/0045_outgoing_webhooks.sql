-- Outgoing webhooks: the firm's endpoints, what clients did, and the delivery of each event to each endpoint. An event is
-- written by the transaction of what it reports. Nothing is written while no endpoint wants events of its type.

-- Rows are kept, because the audit log names endpoints by id. A deletion would also block transactions that add deliveries.
create table webhook_endpoints (
  id uuid primary key,
  url text not null check (length(url) between 1 and 2000),
  description text not null check (length(description) between 1 and 200),
  event_types text[] not null check (cardinality(event_types) > 0),
  state text not null check (state in ('enabled', 'disabled', 'deleted')),
  -- The endpoint answered 410 Gone; otherwise an operator disabled it.
  is_gone boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create trigger webhook_endpoints_kept before delete or truncate on webhook_endpoints
  for each statement execute function refuse_change();

-- The secrets of an endpoint: one, and during a rotation more. Signing needs them as they are.
create table webhook_secrets (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete restrict,
  secret bytea not null check (octet_length(secret) between 24 and 64),
  created_at timestamptz(3) not null,
  -- Set when the endpoint gets a new secret: the end of the overlap.
  expires_at timestamptz(3)
);
create index webhook_secrets_endpoint on webhook_secrets (endpoint_id);

create table webhook_events (
  -- Derived from the fact, so that a fact that is recorded again after a restored backup has the same id.
  id text primary key check (id ~ '^evt_[0-9a-f]{32}$'),
  position bigint generated always as identity unique,
  type text not null,
  occurred_at timestamptz(3) not null,
  -- Events with the same key, a case or a client, are delivered in the order of their positions.
  ordering_key uuid not null,
  -- References of the firm and ids of payments.
  data jsonb not null,
  -- The page of the dashboard that shows it.
  path text not null,
  created_at timestamptz(3) not null default now()
);
create index webhook_events_age on webhook_events (created_at);

create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete restrict,
  event_id text not null references webhook_events on delete cascade,
  -- Copies of the event's.
  position bigint not null,
  ordering_key uuid not null,
  -- Dead: not delivered within the time for retries. It can be sent again.
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  -- All attempts that were started.
  attempts integer not null default 0,
  -- Failed attempts since the event was recorded or sent again.
  failures integer not null default 0,
  -- At once, whatever the clock of the server that sends it says.
  due_at timestamptz(3) not null default '-infinity',
  -- A server is sending it; after this time that server is assumed dead.
  leased_until timestamptz(3),
  retry_until timestamptz(3) not null default now() + interval '3 days',
  finished_at timestamptz(3),
  primary key (endpoint_id, event_id),
  check ((state = 'pending') = (finished_at is null))
);
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, position);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, position) where state = 'pending';
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, ordering_key, position)
  where state = 'pending';
create index webhook_deliveries_leased on webhook_deliveries (endpoint_id, leased_until) where leased_until is not null;
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, position) where state = 'dead';

-- What each attempt resulted in: a status or an error.
create table webhook_attempts (
  endpoint_id uuid not null,
  event_id text not null,
  attempt integer not null,
  started_at timestamptz(3) not null,
  milliseconds integer not null,
  status integer,
  error text check (length(error) <= 500),
  primary key (endpoint_id, event_id, attempt),
  foreign key (endpoint_id, event_id) references webhook_deliveries on delete cascade,
  check (num_nonnulls(status, error) = 1)
);

-- Records an event for every endpoint that wants it. @param fact identifies what happened among all events of the type
create function record_webhook_event(
  event_type text, fact text, happened_at timestamptz, case_or_client uuid, event_references jsonb, link_path text
) returns void language plpgsql as $$
declare
  new_id constant text := 'evt_' || md5(event_type || ' ' || fact);
  new_position bigint;
begin
  if not exists (select from webhook_endpoints where state = 'enabled' and event_type = any(event_types)) then
    return;
  end if;
  insert into webhook_events (id, type, occurred_at, ordering_key, data, path)
    values (new_id, event_type, happened_at, case_or_client, jsonb_strip_nulls(event_references), link_path)
    on conflict (id) do nothing returning position into new_position;
  if new_position is null then return; end if;
  insert into webhook_deliveries (endpoint_id, event_id, position, ordering_key)
    select id, new_id, new_position, case_or_client
    from webhook_endpoints where state = 'enabled' and event_type = any(event_types);
  perform pg_notify('keyturn_webhooks', '');
end $$;

create function record_payment_event(event_type text, fact text, happened_at timestamptz, payment payments)
returns void language sql as $$
  select record_webhook_event(event_type, fact, happened_at, payment.case_id, jsonb_build_object(
    'case', (select reference from conveyancing_cases where id = payment.case_id),
    'matter', (select reference from matters where id = payment.matter_id),
    'client', (select reference from clients where id = coalesce(payment.confirmed_by, payment.client_id)),
    'payment', payment.id,
    'search', (select reference from case_searches where id = payment.case_search_id),
    'bill', (select reference from bills where id = payment.bill_id)
  ), '/payments')
$$;

create function record_paid_event() returns trigger language plpgsql as $$
begin
  perform record_payment_event('payment.succeeded', new.id::text, new.paid_at, new);
  return null;
end $$;
create trigger payments_webhook after update on payments for each row
  when (old.paid_at is null and new.paid_at is not null) execute function record_paid_event();

create function record_refund_event() returns trigger language plpgsql as $$
begin
  perform record_payment_event('payment.refunded', payments.id || ' ' || new.provider_refund_id, new.updated_at, payments)
    from payments where payments.id = new.payment_id;
  return null;
end $$;
create trigger refunds_webhook_insert after insert on refunds for each row
  when (new.status = 'succeeded') execute function record_refund_event();
create trigger refunds_webhook_update after update on refunds for each row
  when (old.status <> 'succeeded' and new.status = 'succeeded') execute function record_refund_event();

create function record_dispute_event() returns trigger language plpgsql as $$
begin
  perform record_payment_event('payment.disputed', new.provider || ' ' || new.provider_dispute_id, new.opened_at, payments)
    from payments where payments.id = new.payment_id;
  return null;
end $$;
create trigger disputes_webhook after insert on disputes for each row execute function record_dispute_event();

create function record_document_event(event_type text, happened_at timestamptz, on_document uuid, by_client uuid)
returns void language sql as $$
  select record_webhook_event(event_type, on_document || ' ' || by_client, happened_at, matters.case_id,
    jsonb_build_object(
      'case', conveyancing_cases.reference,
      'matter', matters.reference,
      'client', (select reference from clients where id = by_client),
      'document', documents.reference
    ), '/documents/' || documents.id)
  from documents
  join matters on matters.id = documents.matter_id
  join conveyancing_cases on conveyancing_cases.id = matters.case_id
  where documents.id = on_document
$$;

create function record_signature_event() returns trigger language plpgsql as $$
begin
  perform record_document_event('document.signed', new.signed_at, new.document_id, new.client_id);
  return null;
end $$;
create trigger document_signatures_webhook after insert on document_signatures
  for each row execute function record_signature_event();

create function record_read_event() returns trigger language plpgsql as $$
begin
  perform record_document_event('document.read', new.read_at, new.document_id, new.client_id);
  return null;
end $$;
create trigger document_reads_webhook after insert on document_reads
  for each row execute function record_read_event();

create function record_task_event() returns trigger language plpgsql as $$
begin
  perform record_webhook_event('task.completed', new.id || ' ' || new.updated_at, new.updated_at, new.case_id,
    jsonb_build_object(
      'case', (select reference from conveyancing_cases where id = new.case_id),
      'matter', (select reference from matters where id = new.matter_id),
      'task', new.reference,
      'search', (select reference from case_searches where id = new.case_search_id),
      'document', (select reference from documents where id = new.document_id)
    ), '/');
  return null;
end $$;
-- A task that the firm's own feed completes has another hash: that is not what clients did.
create trigger tasks_webhook after update on tasks for each row
  when (old.status = 'open' and new.status = 'done' and old.feed_hash is not distinct from new.feed_hash)
  execute function record_task_event();
