-- What the provider says of the money that it holds for the firm, copied as it is: the ledger is derived from it.

create table balance_transactions (
  provider text not null,
  transaction_id text not null,
  kind text not null check (kind in ('charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'fee', 'payout',
    'payout_failure', 'other')),
  -- Pence before the fee; negative if the money left the balance.
  amount integer not null,
  -- Pence that the provider took from the balance for it; negative if a fee was returned.
  fee integer not null,
  currency text not null,
  -- The intent whose money moved. It need not belong to one of our payments.
  intent_id text,
  created_at timestamptz not null,
  available_on date not null,
  -- The payout that contains it; null until the provider has paid it out.
  payout_id text,
  fetched_at timestamptz not null,
  primary key (provider, transaction_id)
);
create index balance_transactions_by_time on balance_transactions (provider, created_at);
create index balance_transactions_by_intent on balance_transactions (provider, intent_id);
create index balance_transactions_by_payout on balance_transactions (provider, payout_id);

create function check_balance_transaction() returns trigger language plpgsql as $$
begin
  if (old.provider, old.transaction_id, old.kind, old.amount, old.fee, old.currency, old.created_at)
    is distinct from (new.provider, new.transaction_id, new.kind, new.amount, new.fee, new.currency, new.created_at)
    or old.intent_id is distinct from new.intent_id
    or (old.payout_id is not null and new.payout_id is distinct from old.payout_id)
  then
    raise exception 'a balance transaction does not change'
      using errcode = 'check_violation', constraint = 'balance_transactions_facts';
  end if;
  return new;
end $$;
create trigger balance_transactions_facts before update on balance_transactions
  for each row execute function check_balance_transaction();
create trigger balance_transactions_kept before delete or truncate on balance_transactions
  for each statement execute function refuse_change();

create table payouts (
  provider text not null,
  payout_id text not null,
  -- Pence; negative if the provider collected money from the bank account.
  amount integer not null,
  currency text not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  -- The day in London on which it reaches the bank account.
  arrives_on date not null,
  created_at timestamptz not null,
  -- Whether the provider says which movements it contains.
  is_itemised boolean not null,
  -- When we stored which movements it contains.
  itemised_at timestamptz,
  primary key (provider, payout_id)
);

-- When each provider's balance was last fetched completely.
create table balance_fetches (
  provider text primary key,
  fetched_at timestamptz not null
);
