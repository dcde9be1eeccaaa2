-- A payment belongs to the client who confirmed it: whose card pays, the consent and the address for the receipt are
-- fixed by the first confirmation. Only that client gets the intent's client secret, so the card that pays is theirs.

alter table payments
  -- The client who last asked to cancel it while it was open; null for payments that expired.
  add column cancel_requested_by uuid references clients on delete restrict;

-- Payments that are open now may have been handed to several owners. Those whose card was not submitted expire at the
-- first check after the upgrade; the others are already in the hands of the bank. No trigger runs: nothing was confirmed.
alter table payments disable trigger user;
update payments set confirmed_by = null
  where status in ('requires_payment_method', 'requires_action') and own_card is null;
update payments set updated_at = now() - interval '91 minutes', next_check_at = now()
  where status = 'requires_payment_method';
alter table payments enable trigger user;

create function check_payment_confirmation() returns trigger language plpgsql as $$
begin
  if old.confirmed_by is not null
    and (new.confirmed_by, new.own_card, new.payer_name, new.receipt_email, new.order_now, new.order_now_at, new.wording)
      is distinct from
      (old.confirmed_by, old.own_card, old.payer_name, old.receipt_email, old.order_now, old.order_now_at, old.wording)
  then
    raise exception 'what a client confirmed for a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_confirmation';
  end if;
  return new;
end $$;
create trigger payments_check_confirmation before update on payments
  for each row execute function check_payment_confirmation();

alter table payment_changes
  -- The client who asked for the cancellation, where this change is one; else null.
  add column cancelled_by uuid references clients on delete restrict;

create or replace function complete_confirmation() returns trigger language plpgsql as $$
begin
  if new.confirmed_by is not null then
    select last_payer_address, wording into new.confirmed_from, new.confirmed_wording
    from payments where id = new.payment_id;
  end if;
  if new.to_status = 'cancelled' and new.from_status <> 'cancelled' then
    select cancel_requested_by into new.cancelled_by from payments where id = new.payment_id;
  end if;
  return new;
end $$;
