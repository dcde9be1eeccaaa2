-- The state of the embedded sandbox provider: its side of each payment. No other table refers to these.

create table sandbox_intents (
  id text primary key,
  idempotency_key text not null unique,
  client_secret text not null unique,
  amount integer not null,
  currency text not null,
  metadata jsonb not null,
  status text not null
    check (status in ('requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled')),
  pending_behaviour text,
  settles_at timestamptz,
  card_brand text,
  card_last4 text,
  error_code text,
  error_message text,
  version integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  statement_descriptor text,
  method text not null default 'card',
  bank_token text unique,
  return_url text
);
comment on table sandbox_intents is 'The sandbox''s payment intents.';
comment on column sandbox_intents.pending_behaviour is
  'How the bank will decide once the client has answered, or the delay has passed.';
comment on column sandbox_intents.statement_descriptor is 'What a statement would show if the sandbox moved money.';

create table sandbox_charges (
  id text primary key,
  intent_id text not null unique references sandbox_intents,
  amount integer not null,
  created_at timestamptz not null default now(),
  available_at timestamptz not null
);
comment on table sandbox_charges is
  'One row for each capture of money: proof that an intent is charged at most once.';
comment on column sandbox_charges.available_at is 'When the sandbox makes the money of a charge available.';

create table sandbox_refunds (
  id text primary key,
  intent_id text not null references sandbox_intents,
  idempotency_key text not null unique,
  amount integer not null check (amount > 0),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  reason text,
  failure_reason text,
  metadata jsonb not null,
  settles_at timestamptz,
  paid_out_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sandbox_refunds_of_intent on sandbox_refunds (intent_id);
create index sandbox_refunds_to_settle on sandbox_refunds (settles_at) where settles_at is not null;
comment on table sandbox_refunds is 'The sandbox''s refunds.';
comment on column sandbox_refunds.settles_at is 'When the bank decides; null once it has.';
comment on column sandbox_refunds.paid_out_at is 'When the money left the balance; null while it has not.';

create table sandbox_disputes (
  id text primary key,
  intent_id text not null references sandbox_intents,
  status text not null
    check (status in ('needs_response', 'under_review', 'won', 'lost', 'warning_needs_response',
    'warning_under_review', 'warning_closed')),
  reason text not null,
  reason_code text,
  amount integer not null check (amount > 0),
  created_at timestamptz not null,
  due_by timestamptz not null,
  submissions integer not null default 0,
  withdrawn_at timestamptz,
  reinstated_at timestamptz
);
create index sandbox_disputes_intent on sandbox_disputes (intent_id);
comment on table sandbox_disputes is 'The sandbox''s disputes.';

create table sandbox_fraud_warnings (
  id text primary key,
  intent_id text not null references sandbox_intents,
  fraud_type text not null,
  created_at timestamptz not null
);
create index sandbox_fraud_warnings_intent on sandbox_fraud_warnings (intent_id);
comment on table sandbox_fraud_warnings is 'The sandbox''s early fraud warnings.';

create table sandbox_reviews (
  id text primary key,
  intent_id text not null references sandbox_intents,
  is_open boolean not null,
  opened_reason text not null,
  closed_reason text,
  created_at timestamptz not null
);
comment on table sandbox_reviews is 'The sandbox''s reviews.';

create table sandbox_events (
  id text primary key,
  intent_id text not null references sandbox_intents,
  type text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create index sandbox_events_due on sandbox_events (next_attempt_at) where delivered_at is null;
comment on table sandbox_events is 'Webhooks that the sandbox sends.';
