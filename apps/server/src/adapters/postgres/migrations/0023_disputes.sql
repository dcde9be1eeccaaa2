-- Disputes, early fraud warnings and reviews of payments, each in a row of its own. The dispute columns of a payment are
-- derived from its disputes.

create table disputes (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_dispute_id text not null,
  -- The bank only asks so far, and has taken no money.
  is_inquiry boolean not null,
  status text not null check (status in ('needs_response', 'under_review', 'closed')),
  outcome text check (outcome in ('won', 'lost', 'inquiry_closed', 'prevented')),
  -- The provider's category, and the card scheme's own code, such as 10.4.
  reason text not null,
  reason_code text,
  -- Pence.
  amount integer not null check (amount > 0),
  opened_at timestamptz not null,
  evidence_due_by timestamptz,
  -- How often evidence was submitted, and when this was first known.
  submissions integer not null default 0 check (submissions >= 0),
  submitted_at timestamptz,
  -- When it was first known to be closed.
  closed_at timestamptz,
  -- Pence that the bank has taken from the firm, and those that it has paid back.
  withdrawn_amount integer not null default 0 check (withdrawn_amount >= 0),
  withdrawn_at timestamptz,
  reinstated_amount integer not null default 0 check (reinstated_amount >= 0),
  reinstated_at timestamptz,
  -- When the provider was asked for this state. An answer to an earlier question is stale.
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_dispute_id),
  constraint disputes_outcome check ((status = 'closed') = (outcome is not null) and (status = 'closed') = (closed_at is not null))
);
create index disputes_payment on disputes (payment_id);
create index disputes_open on disputes (evidence_due_by) where status <> 'closed';

-- The reminders of a deadline that were sent, or covered by a later one.
create table dispute_reminders (
  dispute_id uuid not null references disputes on delete cascade,
  due_by timestamptz not null,
  -- Days before the deadline; 0 once it has passed.
  days integer not null check (days in (0, 1, 3, 7)),
  sent_at timestamptz not null,
  primary key (dispute_id, due_by, days)
);

-- The card's bank suspects fraud, before any dispute.
create table early_fraud_warnings (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_warning_id text not null,
  fraud_type text not null,
  -- A refund would still prevent a dispute.
  is_actionable boolean not null,
  warned_at timestamptz not null,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_warning_id)
);
create index early_fraud_warnings_payment on early_fraud_warnings (payment_id);

-- The provider asks the firm to check a payment for fraud.
create table provider_reviews (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_review_id text not null,
  is_open boolean not null,
  opened_reason text not null,
  closed_reason text,
  opened_at timestamptz not null,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_review_id)
);
create index provider_reviews_payment on provider_reviews (payment_id);

-- Until when each provider was asked for new disputes, warnings and reviews.
create table dispute_lookups (
  provider text not null,
  subject text not null check (subject in ('dispute', 'fraud_warning', 'review')),
  looked_at timestamptz not null,
  primary key (provider, subject)
);

-- Disputes, warnings and reviews of money that is not ours. Each is looked up once.
create table ignored_dispute_objects (
  provider text not null,
  object_id text not null,
  ignored_at timestamptz not null,
  primary key (provider, object_id)
);

-- A receipt does not say that the firm has money which is disputed or was taken back.
alter table receipt_files
  add column dispute text not null default 'none' check (dispute in ('none', 'open', 'lost')),
  drop constraint receipt_files_facts,
  add constraint receipt_files_facts
    unique nulls not distinct (payment_id, refunded_amount, is_cleared, clears_on, refunds, dispute);

-- The sandbox's disputes, warnings and reviews.
create table sandbox_disputes (
  id text primary key,
  intent_id text not null references sandbox_intents,
  status text not null check (status in (
    'needs_response', 'under_review', 'won', 'lost',
    'warning_needs_response', 'warning_under_review', 'warning_closed')),
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
create table sandbox_fraud_warnings (
  id text primary key,
  intent_id text not null references sandbox_intents,
  fraud_type text not null,
  created_at timestamptz not null
);
create index sandbox_fraud_warnings_intent on sandbox_fraud_warnings (intent_id);
create table sandbox_reviews (
  id text primary key,
  intent_id text not null references sandbox_intents,
  is_open boolean not null,
  opened_reason text not null,
  closed_reason text,
  created_at timestamptz not null
);
