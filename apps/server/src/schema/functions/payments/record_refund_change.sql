-- Every other change of a refund moves no money, and is a separate line. As the owner of the record.
create or replace function record_refund_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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
