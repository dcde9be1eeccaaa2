-- A started payment is broadcast when its intent is stored, not when its row is inserted. PostgreSQL commits transactions
-- that notify one after the other, each with its own flush to disk. The transaction that inserts a payment has to be
-- flushed before the provider is asked, so it does not notify. The one that stores the intent can be repeated.

drop trigger payments_broadcast_insert on payments;
drop trigger payments_broadcast_update on payments;

create function broadcast_payment() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || new.case_id, 'PaymentUpdated', array[new.id::text]);
  return null;
end $$;

-- No screen shows the columns that are left out. The intent's id is not: with it, the payment can be paid.
create trigger payments_broadcast_update after update on payments
  for each row when (
    to_jsonb(new) - array['updated_at', 'next_check_at', 'provider_revision', 'provider_account_id', 'last_cause',
      'last_provider_event_id']
    is distinct from
    to_jsonb(old) - array['updated_at', 'next_check_at', 'provider_revision', 'provider_account_id', 'last_cause',
      'last_provider_event_id'])
  execute function broadcast_payment();
