-- Payments that a person has to look at, payments that the payer's bank disputes, and both in the record.

alter table payments
  -- Why a person has to look at it: the provider's intent is not what we asked for. Null: nobody has to.
  add column review_reason text,
  -- The latest dispute of the payer's bank, as the provider tells of it; null where there is none.
  add column dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  add column dispute_amount integer check (dispute_amount > 0),
  add column dispute_opened_at timestamptz,
  add constraint payments_dispute check (
    (dispute_status is null) = (dispute_amount is null) and (dispute_status is null) = (dispute_opened_at is null)
  );
create index payments_under_review on payments (case_search_id) where review_reason is not null;

alter table payment_changes
  -- As they stand after this change.
  add column review_reason text,
  add column dispute_status text,
  add column dispute_amount integer;

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
      and new.provider_idempotency_key = old.provider_idempotency_key
      and new.review_reason is not distinct from old.review_reason
      and new.dispute_status is not distinct from old.dispute_status
      and new.dispute_amount is not distinct from old.dispute_amount
      and new.last_provider_event_id is not distinct from old.last_provider_event_id then
      return null;
    end if;
  end if;
  insert into payment_changes (
    payment_id, from_status, to_status, cause, provider_event_id, failure_code, money, confirmed_by, confirmed,
    review_reason, dispute_status, dispute_amount
  ) values (
    new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.last_cause,
    new.last_provider_event_id, new.failure_code, taken_now - taken_before,
    case when is_confirmation then coalesce(new.confirmed_by, new.client_id) end,
    case when is_confirmation then confirmed_now end,
    new.review_reason, new.dispute_status, new.dispute_amount
  );
  return null;
end $$;
