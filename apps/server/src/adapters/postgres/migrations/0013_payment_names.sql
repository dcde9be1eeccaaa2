-- Payments: the status "canceled" becomes "cancelled", and names that were hard to understand become plain ones.

-- The triggers would refuse the new status, write it to the record and broadcast it: it is the same status, renamed.
alter table payments disable trigger user;
alter table payment_changes disable trigger user;

drop index payments_one_per_search;
update payments set status = 'cancelled' where status = 'canceled';
-- A search is charged at most once: every payment for it that is not cancelled occupies its place.
create unique index payments_one_per_search on payments (case_search_id) where status <> 'cancelled';

update payment_changes set from_status = 'cancelled' where from_status = 'canceled';
update payment_changes set to_status = 'cancelled' where to_status = 'canceled';

alter table payments enable trigger user;
alter table payment_changes enable trigger user;

-- The allowed transitions; payment-states.ts has the same table, and a test compares them.
alter table payment_moves rename to payment_transitions;
alter table payment_transitions rename constraint payment_moves_pkey to payment_transitions_pkey;
update payment_transitions set to_status = 'cancelled' where to_status = 'canceled';

alter trigger payments_check_move on payments rename to payments_check_transition;
alter function check_payment_move() rename to check_payment_transition;
create or replace function check_payment_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'requires_payment_method' then
      raise exception 'a payment starts at requires_payment_method, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_transitions';
    end if;
  elsif new.status <> old.status and not exists (
    select 1 from payment_transitions where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a payment does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_transitions';
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

-- The client who last requested the intent to pay it, and the address that the request came from.
alter table payments rename column taken_by to last_payer_id;
alter table payments rename column taken_from to last_payer_address;
alter table payments rename constraint payments_taken_by_fkey to payments_last_payer_id_fkey;
create or replace function complete_confirmation() returns trigger language plpgsql as $$
begin
  if new.confirmed_by is not null then
    select last_payer_address, wording into new.confirmed_from, new.confirmed_wording
    from payments where id = new.payment_id;
  end if;
  return new;
end $$;

-- The words for a failure follow from its code.
alter table payments drop column failure_message;
