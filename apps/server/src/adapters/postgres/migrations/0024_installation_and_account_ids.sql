-- Which installation a payment is from and which account of the provider it is at. Both are also in the metadata of the
-- provider's intents, so that installations can share an account, and a change of account is recognised.

-- Never changes, also in a copy of the database.
alter table installation add column installation_id uuid not null default gen_random_uuid();

-- The provider's account that has the intent, such as acct_1ABC; null for payments without an intent, and of before.
alter table payments add column provider_account_id text;

-- No screen shows the account, so storing it with the intent is no event.
drop trigger payments_broadcast_update on payments;
create trigger payments_broadcast_update after update on payments
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('PaymentUpdated',
    'next_check_at,provider_intent_id,provider_revision,provider_account_id,last_cause,last_provider_event_id');
