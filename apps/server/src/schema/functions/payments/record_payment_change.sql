-- Writes the record of payments. It runs as the owner, because the server's own database role may not write
-- to the record.
create or replace function record_payment_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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
    or new.payer_check is distinct from old.payer_check
    or new.matter_id is distinct from old.matter_id
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
  if new.allocation is distinct from old.allocation then
    insert into payment_changes (payment_id, from_status, to_status, cause, money, allocation)
    values (new.id, new.status, new.status, new.last_cause, 0, new.allocation);
  end if;
  if new.search_released_at is distinct from old.search_released_at then
    insert into payment_changes (payment_id, from_status, to_status, cause, money, search_released_at)
    values (new.id, new.status, new.status, new.last_cause, 0, new.search_released_at);
  end if;
  return null;
end $$;
