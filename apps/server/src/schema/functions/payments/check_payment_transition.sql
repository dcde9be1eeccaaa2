-- Refuses what may not happen to a payment: a transition that is not allowed, and a change of
-- its terms, of what was confirmed, or of cleared money.
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
  elsif old.payer_check is not null and new.payer_check is distinct from old.payer_check then
    raise exception 'the check of a payer does not change'
      using errcode = 'check_violation', constraint = 'payment_payer_check';
  elsif new.allocation is distinct from old.allocation
    and (new.allocation is null or new.cleared_at is null or new.case_search_id is null)
  then
    raise exception 'only the payment for a search that has cleared is allocated'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.matter_id is not null and new.matter_id is distinct from old.matter_id then
    raise exception 'the matter of a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.confirmed_by is not null
    and (new.confirmed_by, new.own_card, new.payer_name, new.receipt_email, new.order_now, new.order_now_at, new.wording,
      new.order_wording, new.order_words)
      is distinct from
      (old.confirmed_by, old.own_card, old.payer_name, old.receipt_email, old.order_now, old.order_now_at, old.wording,
      old.order_wording, old.order_words)
  then
    raise exception 'what a client confirmed for a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_confirmation';
  end if;
  return new;
end $$;
