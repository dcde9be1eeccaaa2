-- Payments. The database itself refuses an illegal move, a second payment for a search and a change of the record.

create table payments (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete restrict,
  -- The client who started it.
  client_id uuid not null references clients on delete restrict,
  kind text not null check (kind in ('search', 'other')),
  status text not null,
  amount integer not null check (amount > 0),
  currency text not null default 'gbp' check (currency = 'gbp'),
  description text not null,
  category text not null,
  reference text,
  matter_id uuid references matters on delete restrict,
  case_search_id uuid references case_searches on delete restrict,
  lines jsonb not null,
  provider text not null check (provider in ('sandbox', 'stripe')),
  -- Null until the provider has answered the first call; the key below makes that call safe to repeat.
  provider_intent_id text,
  provider_idempotency_key text not null unique,
  -- How far we have followed the intent, where the provider counts its changes.
  provider_revision integer,
  order_now boolean,
  order_now_at timestamptz,
  own_card boolean,
  payer_name text,
  receipt_email text,
  receipt_number text unique,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  failure_code text,
  failure_message text,
  refunded_amount integer not null default 0 check (refunded_amount between 0 and amount),
  paid_at timestamptz,
  -- Why the last change was made; the trigger below copies both into the record.
  last_cause text not null,
  last_provider_event_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'search') = (case_search_id is not null)),
  check ((status in ('succeeded', 'partially_refunded', 'refunded')) = (paid_at is not null)),
  check ((status = 'partially_refunded') = (refunded_amount > 0 and refunded_amount < amount)),
  check ((status = 'refunded') = (refunded_amount = amount)),
  unique (provider, provider_intent_id)
);
-- A search is charged at most once: whatever is not canceled holds its place.
create unique index payments_one_per_search on payments (case_search_id) where status <> 'canceled';
create index payments_case on payments (case_id);

-- The table of moves; payment-states.ts holds the same one, and a test compares them.
create table payment_moves (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into payment_moves (from_status, to_status) values
  ('requires_payment_method', 'requires_action'),
  ('requires_payment_method', 'processing'),
  ('requires_payment_method', 'succeeded'),
  ('requires_payment_method', 'canceled'),
  ('requires_action', 'requires_payment_method'),
  ('requires_action', 'processing'),
  ('requires_action', 'succeeded'),
  ('requires_action', 'canceled'),
  ('processing', 'requires_payment_method'),
  ('processing', 'requires_action'),
  ('processing', 'succeeded'),
  ('processing', 'canceled'),
  ('succeeded', 'partially_refunded'),
  ('succeeded', 'refunded'),
  ('partially_refunded', 'refunded');

-- The record: one row for every change of a payment, written by the database, never changed.
create table payment_changes (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payments on delete restrict,
  from_status text,
  to_status text not null,
  cause text not null,
  provider_event_id text,
  failure_code text,
  -- Pence taken (positive) or given back (negative) by this change.
  money integer not null,
  recorded_at timestamptz not null default clock_timestamp()
);
create index payment_changes_payment on payment_changes (payment_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger payment_changes_append_only before update or delete or truncate on payment_changes
  for each statement execute function refuse_change();
create trigger payments_kept before delete or truncate on payments
  for each statement execute function refuse_change();

create function check_payment_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'requires_payment_method' then
      raise exception 'a payment starts at requires_payment_method, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_moves';
    end if;
  elsif new.status <> old.status and not exists (
    select 1 from payment_moves where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a payment does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_moves';
  elsif new.amount <> old.amount or new.currency <> old.currency or new.kind <> old.kind
    or new.case_id <> old.case_id or new.case_search_id is distinct from old.case_search_id
    or new.refunded_amount < old.refunded_amount
    or (old.provider_intent_id is not null and new.provider_intent_id is distinct from old.provider_intent_id)
  then
    raise exception 'what a payment is for, its amount and its intent do not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  end if;
  return new;
end $$;
create trigger payments_check_move before insert or update on payments
  for each row execute function check_payment_move();

create function record_payment_change() returns trigger language plpgsql as $$
declare
  taken_before integer := 0;
  taken_now integer := case when new.paid_at is null then 0 else new.amount - new.refunded_amount end;
begin
  if tg_op = 'UPDATE' then
    taken_before := case when old.paid_at is null then 0 else old.amount - old.refunded_amount end;
    if new.status = old.status and taken_now = taken_before
      and new.failure_code is not distinct from old.failure_code
      and new.provider_intent_id is not distinct from old.provider_intent_id
      and new.last_provider_event_id is not distinct from old.last_provider_event_id then
      return null;
    end if;
  end if;
  insert into payment_changes (payment_id, from_status, to_status, cause, provider_event_id, failure_code, money)
  values (
    new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.last_cause,
    new.last_provider_event_id, new.failure_code, taken_now - taken_before
  );
  return null;
end $$;
create trigger payments_record_change after insert or update on payments
  for each row execute function record_payment_change();

-- Idempotency-Key of the calls that start a payment: the same content gets the same payment.
create table payment_idempotency_keys (
  client_id uuid not null references clients on delete cascade,
  key text not null,
  content_hash bytea not null,
  payment_id uuid not null references payments on delete cascade,
  created_at timestamptz not null default now(),
  primary key (client_id, key)
);

-- What a provider told us, stored before it is acted on; a repeat finds its row.
create table provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  intent_id text,
  body jsonb not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  -- 'applied', 'stale' (an older state), 'ignored' (a type we do not act on), 'unmatched' (no such payment yet),
  -- 'mismatched' (amount, currency or metadata differ: for a person to look at)
  outcome text check (outcome in ('applied', 'stale', 'ignored', 'unmatched', 'mismatched')),
  primary key (provider, event_id)
);
create index provider_events_open on provider_events (received_at) where outcome is null or outcome = 'unmatched';

create sequence receipt_numbers;
