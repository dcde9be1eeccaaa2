-- Finds the payments that a client has started or confirmed and that are not settled, also in cases that they have left.
create function unsettled_payments(client uuid) returns setof payments language sql stable as $$
  select * from payments
  where client in (client_id, confirmed_by) and (
    status in ('requires_payment_method', 'requires_action', 'processing')
    or dispute_status in ('inquiry', 'open')
    or exists (
      select from refunds where payment_id = payments.id
        and refunds.status in ('awaiting_approval', 'approved', 'pending', 'requires_action')))
$$;

-- Erasing a client deletes their attempts to pay, which an unsettled payment still needs.
create function refuse_erasure_during_payment() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if exists (select from unsettled_payments(new.subject_id)) then
    raise exception 'a payment of the client is under way' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger erasures_during_payment before insert on erasures
  for each row when (new.subject_kind = 'client' and new.basis <> 'restored')
  execute function refuse_erasure_during_payment();
