-- Payments: who confirmed last, when the provider is asked again, the confirmations in the record, and receipt
-- numbers without a gap.

alter table payments
  -- The client who confirmed last; null: whoever started it.
  add column confirmed_by uuid references clients on delete restrict,
  -- When the catch-up asks the provider about it, while it is open.
  add column next_check_at timestamptz not null default now();
create index payments_to_check on payments (next_check_at)
  where status in ('requires_payment_method', 'requires_action', 'processing');

alter table provider_events add column next_check_at timestamptz not null default now();
drop index provider_events_open;
create index provider_events_to_check on provider_events (next_check_at) where outcome is null or outcome = 'unmatched';

alter table payment_changes
  -- Who confirmed, and what, where this change is a confirmation; else null.
  add column confirmed_by uuid references clients on delete restrict,
  add column confirmed jsonb;

create or replace function record_payment_change() returns trigger language plpgsql as $$
declare
  taken_before integer := 0;
  taken_now integer := case when new.paid_at is null then 0 else new.amount - new.refunded_amount end;
  confirmed_before jsonb := '{}';
  confirmed_now jsonb := jsonb_strip_nulls(jsonb_build_object(
    'order_now', new.order_now, 'order_now_at', new.order_now_at, 'own_card', new.own_card,
    'payer_name', new.payer_name, 'receipt_email', new.receipt_email));
  is_confirmation boolean;
begin
  if tg_op = 'UPDATE' then
    taken_before := case when old.paid_at is null then 0 else old.amount - old.refunded_amount end;
    confirmed_before := jsonb_strip_nulls(jsonb_build_object(
      'order_now', old.order_now, 'order_now_at', old.order_now_at, 'own_card', old.own_card,
      'payer_name', old.payer_name, 'receipt_email', old.receipt_email));
  end if;
  is_confirmation := confirmed_now <> confirmed_before
    or (tg_op = 'UPDATE' and new.confirmed_by is distinct from old.confirmed_by);
  if tg_op = 'UPDATE' then
    if new.status = old.status and taken_now = taken_before and not is_confirmation
      and new.failure_code is not distinct from old.failure_code
      and new.provider_intent_id is not distinct from old.provider_intent_id
      and new.last_provider_event_id is not distinct from old.last_provider_event_id then
      return null;
    end if;
  end if;
  insert into payment_changes (
    payment_id, from_status, to_status, cause, provider_event_id, failure_code, money, confirmed_by, confirmed
  ) values (
    new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.last_cause,
    new.last_provider_event_id, new.failure_code, taken_now - taken_before,
    case when is_confirmation then coalesce(new.confirmed_by, new.client_id) end,
    case when is_confirmation then confirmed_now end
  );
  return null;
end $$;

-- The last receipt number of each year: counted in the transaction that needs it, and given back with it.
create table receipt_counters (
  year integer primary key,
  last integer not null check (last > 0)
);
drop sequence receipt_numbers;
