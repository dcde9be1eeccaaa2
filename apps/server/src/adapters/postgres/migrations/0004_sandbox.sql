-- What the embedded sandbox provider remembers: its side of each payment. No product table refers to these.

create table sandbox_intents (
  id text primary key,
  idempotency_key text not null unique,
  client_secret text not null unique,
  amount integer not null,
  currency text not null,
  metadata jsonb not null,
  status text not null
    check (status in ('requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled')),
  -- What the bank will say once the client has answered, or the delay has passed.
  pending_behaviour text,
  settles_at timestamptz,
  card_brand text,
  card_last4 text,
  error_code text,
  error_message text,
  version integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Each capture of money, one row: the sandbox's own proof that an intent is charged at most once.
create table sandbox_charges (
  id text primary key,
  intent_id text not null unique references sandbox_intents,
  amount integer not null,
  created_at timestamptz not null default now()
);

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
