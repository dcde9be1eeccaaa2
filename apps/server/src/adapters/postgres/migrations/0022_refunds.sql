-- Each refund of a payment, with its status at the provider, and the requests that staff make for one.

create table refunds (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  -- Null until the provider has created the refund.
  provider_refund_id text,
  amount integer not null check (amount > 0),
  status text not null check (status in (
    'awaiting_approval', 'approved', 'rejected', 'pending', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  -- The provider's code.
  reason text,
  -- Why, in the words of staff; clients never see it.
  note text,
  requested_by text,
  -- The second person, who is never the first.
  approved_by text check (lower(btrim(approved_by)) <> lower(btrim(requested_by))),
  -- The key of the command that requested it: the same command makes no second refund.
  request_key text,
  -- The key that the provider is called with.
  provider_idempotency_key text unique,
  -- The provider's code for a refund that failed or was cancelled, or why a request was rejected.
  failure_reason text,
  last_cause text not null,
  last_provider_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it failed or was cancelled.
  failed_at timestamptz,
  -- A request has no refund at the provider until it is submitted.
  check (status not in ('awaiting_approval', 'approved', 'rejected') or provider_refund_id is null),
  check (status in ('awaiting_approval', 'approved', 'rejected') or provider_refund_id is not null),
  check ((status in ('failed', 'cancelled')) = (failed_at is not null)),
  unique (payment_id, provider_refund_id),
  unique (payment_id, request_key)
);
create index refunds_open on refunds (created_at)
  where status in ('awaiting_approval', 'approved', 'pending', 'requires_action');
create trigger refunds_kept before delete or truncate on refunds
  for each statement execute function refuse_change();

-- The allowed changes; refund-states.ts has the same table, and a test compares them.
create table refund_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into refund_transitions (from_status, to_status) values
  ('awaiting_approval', 'approved'),
  ('awaiting_approval', 'rejected'),
  ('approved', 'rejected'),
  ('approved', 'requires_action'),
  ('approved', 'pending'),
  ('approved', 'succeeded'),
  ('approved', 'failed'),
  ('approved', 'cancelled'),
  ('requires_action', 'pending'),
  ('requires_action', 'succeeded'),
  ('requires_action', 'failed'),
  ('requires_action', 'cancelled'),
  ('pending', 'succeeded'),
  ('pending', 'failed'),
  ('pending', 'cancelled'),
  ('succeeded', 'failed'),
  ('succeeded', 'cancelled');

create function check_refund_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not exists (
    select 1 from refund_transitions where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a refund does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'refund_transitions';
  elsif (new.payment_id, new.amount, new.created_at, new.requested_by)
      is distinct from (old.payment_id, old.amount, old.created_at, old.requested_by)
    or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)
    or (old.approved_by is not null and new.approved_by is distinct from old.approved_by)
  then
    raise exception 'the payment, the amount and the people of a refund do not change'
      using errcode = 'check_violation', constraint = 'refund_terms';
  end if;
  return new;
end $$;
create trigger refunds_check_transition before update on refunds
  for each row execute function check_refund_transition();

alter table payments
  -- The refund that the last change of the totals was about, for the record.
  add column last_refund_id uuid references refunds on delete restrict,
  -- When the firm offered the search again after a full refund: another payment may pay for it.
  add column search_released_at timestamptz;

-- A search is charged at most once, until the firm has refunded it and offers it again.
drop index payments_one_per_search;
create unique index payments_one_per_search on payments (case_search_id)
  where status <> 'cancelled' and search_released_at is null;

alter table payment_changes
  -- The refund and its status, where this change is one of a refund; else null.
  add column refund_id uuid,
  add column refund_status text,
  add column refund_amount integer;

-- A change of the refunded total is a line of the record already: add which refund it is about.
create function complete_refund_change() returns trigger language plpgsql as $$
begin
  if new.refund_id is null and new.money <> 0
    and new.from_status in ('succeeded', 'partially_refunded', 'refunded')
  then
    select refunds.id, refunds.status, refunds.amount into new.refund_id, new.refund_status, new.refund_amount
    from payments join refunds on refunds.id = payments.last_refund_id where payments.id = new.payment_id;
  end if;
  return new;
end $$;
create trigger payment_changes_complete_refund before insert on payment_changes
  for each row execute function complete_refund_change();

create function counts_as_refunded(status text) returns boolean language sql immutable
  as $$ select status in ('pending', 'requires_action', 'succeeded') $$;

-- Every other change of a refund moves no money, and is a line of its own. As the owner of the record.
create function record_refund_change() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if new.status = old.status or counts_as_refunded(new.status) <> counts_as_refunded(old.status) then
      return null;
    end if;
  elsif counts_as_refunded(new.status) then
    return null;
  end if;
  insert into payment_changes (
    payment_id, from_status, to_status, cause, provider_event_id, money, refund_id, refund_status, refund_amount)
  select id, status, status, new.last_cause, new.last_provider_event_id, 0, new.id, new.status, new.amount
  from payments where id = new.payment_id;
  return null;
end $$;
create trigger refunds_record_change after insert or update on refunds
  for each row execute function record_refund_change();

-- One mail for each refund that is made, and one for each that fails.
alter table payment_mails add column refund_id uuid references refunds on delete restrict;
create unique index payment_mails_refund on payment_mails (kind, refund_id);

-- Until when the refunds at a provider were listed, which finds those whose webhooks were lost.
create table refund_checks (
  provider text primary key,
  listed_until timestamptz not null
);

-- What the firm's case system last sent for a search: it is offered again only when the firm asks for that.
alter table case_searches add column sent_status text;

-- A receipt is made again when the day on which its money clears changes, and after each change of a refund.
alter table receipt_files
  add column clears_on date,
  -- The refunds as the receipt shows them.
  add column refunds text not null default '',
  drop constraint receipt_files_pkey,
  add constraint receipt_files_facts
    unique nulls not distinct (payment_id, refunded_amount, is_cleared, clears_on, refunds);
alter table receipt_files disable trigger user;
update receipt_files set clears_on = payments.clears_on
  from payments where payments.id = receipt_files.payment_id and payments.status <> 'refunded';
alter table receipt_files enable trigger user;

-- The sandbox's refunds.
create table sandbox_refunds (
  id text primary key,
  intent_id text not null references sandbox_intents,
  idempotency_key text not null unique,
  amount integer not null check (amount > 0),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  reason text,
  failure_reason text,
  metadata jsonb not null,
  -- When the bank decides; null once it has.
  settles_at timestamptz,
  -- When the money left the balance; null while it has not.
  paid_out_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sandbox_refunds_of_intent on sandbox_refunds (intent_id);
create index sandbox_refunds_to_settle on sandbox_refunds (settles_at) where settles_at is not null;
