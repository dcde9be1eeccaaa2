-- Adds to a line of the record from where a client confirmed, which text, and which client cancelled.
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
