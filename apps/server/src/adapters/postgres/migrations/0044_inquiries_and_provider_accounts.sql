-- An inquiry, in which the card's bank asks before it disputes anything, is not shown as a dispute. Payments with an open
-- inquiry are corrected by the next check of open disputes.
alter table payments
  drop constraint payments_dispute_status_check,
  add constraint payments_dispute_status_check check (dispute_status in ('inquiry', 'open', 'won', 'lost'));
alter table receipt_files
  drop constraint receipt_files_dispute_check,
  add constraint receipt_files_dispute_check check (dispute in ('none', 'inquiry', 'open', 'lost'));

-- Which of the firm's bank accounts each account at the provider pays into, by the name of the provider: recorded with the
-- first payment there, so that swapped keys are noticed before any money reaches the wrong bank account.
create table provider_accounts (
  account_id text primary key,
  provider text not null,
  recorded_at timestamptz not null
);
insert into provider_accounts (account_id, provider, recorded_at)
  select distinct on (provider_account_id) provider_account_id, provider, created_at from payments
  where provider_account_id is not null order by provider_account_id, created_at;
