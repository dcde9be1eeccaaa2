-- What payment providers report: events, and the movements of the firm's money.

create table provider_accounts (
  account_id text primary key,
  provider text not null,
  recorded_at timestamptz not null
);
comment on table provider_accounts is
  'Which of the firm''s bank accounts each account at the provider pays into, by the name of the provider: '
  'recorded with the first payment there, so that swapped keys are noticed before any money reaches the wrong '
  'bank account.';

create table provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  intent_id text,
  body jsonb not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  outcome text check (outcome in ('applied', 'stale', 'ignored', 'unmatched', 'mismatched')),
  next_check_at timestamptz not null default now(),
  primary key (provider, event_id)
);
create index provider_events_to_check on provider_events (next_check_at)
  where outcome is null or outcome = 'unmatched';
comment on table provider_events is
  'What a provider reported, stored before it is processed, so that a repeated delivery is recognised.';
comment on column provider_events.outcome is
  '''stale'': an older state; ''ignored'': a type that is not processed; ''unmatched'': no such payment yet; '
  '''mismatched'': amount, currency or metadata differ and need manual review.';

create table balance_fetches (
  provider text primary key,
  fetched_at timestamptz not null
);
comment on table balance_fetches is 'When each provider''s balance was last fetched completely.';

create table balance_transactions (
  provider text not null,
  transaction_id text not null,
  kind text not null
    check (kind in ('charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'fee', 'payout',
    'payout_failure', 'other')),
  amount integer not null,
  fee integer not null,
  currency text not null,
  intent_id text,
  created_at timestamptz not null,
  available_on date not null,
  payout_id text,
  fetched_at timestamptz not null,
  primary key (provider, transaction_id)
);
create index balance_transactions_by_intent on balance_transactions (provider, intent_id);
create index balance_transactions_by_payout on balance_transactions (provider, payout_id);
create index balance_transactions_by_time on balance_transactions (provider, created_at);
comment on table balance_transactions is
  'The movements of the firm''s money at the provider, copied as they are. The ledger is derived from them.';
comment on column balance_transactions.amount is 'Pence before the fee; negative if the money left the balance.';
comment on column balance_transactions.fee is
  'Pence that the provider took from the balance for it; negative if a fee was returned.';
comment on column balance_transactions.intent_id is
  'The intent whose money moved. It need not belong to one of these payments.';
comment on column balance_transactions.payout_id is
  'The payout that contains it; null until the provider has paid it out.';

create table payouts (
  provider text not null,
  payout_id text not null,
  amount integer not null,
  currency text not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  arrives_on date not null,
  created_at timestamptz not null,
  is_itemised boolean not null,
  itemised_at timestamptz,
  primary key (provider, payout_id)
);
comment on table payouts is 'What a provider has paid into the firm''s bank account.';
comment on column payouts.amount is 'Pence; negative if the provider collected money from the bank account.';
comment on column payouts.arrives_on is 'The day in London on which it reaches the bank account.';
comment on column payouts.is_itemised is 'Whether the provider says which movements it contains.';
comment on column payouts.itemised_at is 'When it was stored which movements it contains.';
