-- Reports what a change of a payment means: to open browsers, to the list of client changes, and to webhooks.
-- One function for all conditions, because PostgreSQL compiles the condition of every trigger for each
-- statement.
create or replace function announce_payment_change() returns trigger language plpgsql as $$
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
