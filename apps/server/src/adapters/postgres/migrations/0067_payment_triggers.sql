-- PostgreSQL reads and compiles the condition of every trigger of a table for each statement that writes to it, but a
-- function once for each connection. So payments have few triggers, with their conditions in the functions.

drop trigger payments_check_confirmation on payments;
drop trigger payments_check_method on payments;
drop function check_payment_confirmation, check_payment_method;

create or replace function check_payment_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'requires_payment_method' then
      raise exception 'a payment starts at requires_payment_method, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_transitions';
    end if;
    return new;
  end if;
  -- On its own, because a condition with a query takes longer than all others.
  if new.status <> old.status then
    if not exists (select from payment_transitions where from_status = old.status and to_status = new.status) then
      raise exception 'a payment does not go from % to %', old.status, new.status
        using errcode = 'check_violation', constraint = 'payment_transitions';
    end if;
  end if;
  if new.amount <> old.amount or new.currency <> old.currency or new.kind <> old.kind
    or new.case_id <> old.case_id or new.case_search_id is distinct from old.case_search_id
    or (old.provider_intent_id is not null and new.provider_intent_id is distinct from old.provider_intent_id)
  then
    raise exception 'what a payment is for, its amount and its intent do not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif new.method <> old.method then
    raise exception 'the method of a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif new.failed_refund_amount < old.failed_refund_amount
    or new.refunded_amount + new.failed_refund_amount < old.refunded_amount + old.failed_refund_amount
  then
    raise exception 'a refund is only taken back when it has failed'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.cleared_at is not null
    and (new.cleared_at, new.clears_on) is distinct from (old.cleared_at, old.clears_on)
  then
    raise exception 'money that has cleared stays cleared'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.confirmed_by is not null
    and (new.confirmed_by, new.own_card, new.payer_name, new.receipt_email, new.order_now, new.order_now_at, new.wording)
      is distinct from
      (old.confirmed_by, old.own_card, old.payer_name, old.receipt_email, old.order_now, old.order_now_at, old.wording)
  then
    raise exception 'what a client confirmed for a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_confirmation';
  end if;
  return new;
end $$;

drop trigger payments_record_clearing on payments;
drop trigger payments_record_search_release on payments;
drop function record_payment_clearing, record_search_release;

-- As the owner of the record, to which the server's own database role may not write.
create or replace function record_payment_change() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  taken_before integer := 0;
  taken_now integer := case when new.paid_at is null then 0 else new.amount - new.refunded_amount end;
  is_confirmation boolean := not ((new.order_now, new.order_now_at, new.own_card, new.payer_name, new.receipt_email) is null);
begin
  if tg_op = 'UPDATE' then
    taken_before := case when old.paid_at is null then 0 else old.amount - old.refunded_amount end;
    is_confirmation :=
      (new.order_now, new.order_now_at, new.own_card, new.payer_name, new.receipt_email, new.confirmed_by)
      is distinct from
      (old.order_now, old.order_now_at, old.own_card, old.payer_name, old.receipt_email, old.confirmed_by);
  end if;
  if tg_op = 'INSERT' or is_confirmation or taken_now <> taken_before or new.status <> old.status
    or new.failure_code is distinct from old.failure_code
    or new.provider_intent_id is distinct from old.provider_intent_id
    or new.provider_idempotency_key <> old.provider_idempotency_key
    or new.review_reason is distinct from old.review_reason
    or new.dispute_status is distinct from old.dispute_status
    or new.dispute_amount is distinct from old.dispute_amount
    or new.last_provider_event_id is distinct from old.last_provider_event_id
  then
    insert into payment_changes (
      payment_id, from_status, to_status, cause, provider_event_id, failure_code, money, confirmed_by, confirmed,
      review_reason, dispute_status, dispute_amount
    ) values (
      new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.last_cause,
      new.last_provider_event_id, new.failure_code, taken_now - taken_before,
      case when is_confirmation then coalesce(new.confirmed_by, new.client_id) end,
      case when is_confirmation then jsonb_strip_nulls(jsonb_build_object(
        'order_now', new.order_now, 'order_now_at', new.order_now_at, 'own_card', new.own_card,
        'payer_name', new.payer_name, 'receipt_email', new.receipt_email)) end,
      new.review_reason, new.dispute_status, new.dispute_amount
    );
  end if;
  if tg_op = 'INSERT' then return null; end if;
  if old.cleared_at is null and new.cleared_at is not null then
    insert into payment_changes (payment_id, from_status, to_status, cause, provider_event_id, money, cleared_at)
    values (new.id, new.status, new.status, new.last_cause, new.last_provider_event_id, 0, new.cleared_at);
  end if;
  if new.search_released_at is distinct from old.search_released_at then
    insert into payment_changes (payment_id, from_status, to_status, cause, money, search_released_at)
    values (new.id, new.status, new.status, new.last_cause, 0, new.search_released_at);
  end if;
  return null;
end $$;

drop trigger payments_client_change on payments;
drop trigger payments_broadcast_update on payments;
drop function record_paid_change, broadcast_payment;

create function announce_payment_change() returns trigger language plpgsql as $$
declare
  -- No screen shows these columns. The intent's id is not one of them: with it, the payment can be paid.
  ignored constant text[] := array['updated_at', 'next_check_at', 'provider_revision', 'provider_account_id', 'last_cause',
    'last_provider_event_id'];
begin
  if old.paid_at is null and new.paid_at is not null then
    insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
      values ('payment.succeeded', new.paid_at, coalesce(new.confirmed_by, new.client_id), new.id, new.id, new.amount);
  end if;
  -- Comparing all columns takes longer than to store an intent.
  if new.provider_intent_id is distinct from old.provider_intent_id
    or to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored
  then
    perform broadcast('private-case.' || new.case_id, 'PaymentUpdated', array[new.id::text]);
  end if;
  return null;
end $$;
create trigger payments_announce_change after update on payments
  for each row execute function announce_payment_change();
