-- That a search was offered again after a full refund is a line of the record, as every other change of a payment is.

alter table payment_changes
  -- When the firm offered the search again, where this change is that; else null.
  add column search_released_at timestamptz;

-- As the owner of the record, to which the server's own database role may not write.
create function record_search_release() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  insert into payment_changes (payment_id, from_status, to_status, cause, money, search_released_at)
  values (new.id, new.status, new.status, new.last_cause, 0, new.search_released_at);
  return null;
end $$;
create trigger payments_record_search_release after update on payments
  for each row when (new.search_released_at is distinct from old.search_released_at)
  execute function record_search_release();
