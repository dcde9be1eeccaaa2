-- Disputes, early fraud warnings and reviews. The dispute columns of a payment are derived from its disputes.

create table disputes (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_dispute_id text not null,
  is_inquiry boolean not null,
  status text not null check (status in ('needs_response', 'under_review', 'closed')),
  outcome text check (outcome in ('won', 'lost', 'inquiry_closed', 'prevented')),
  reason text not null,
  reason_code text,
  amount integer not null check (amount > 0),
  opened_at timestamptz not null,
  evidence_due_by timestamptz,
  submissions integer not null default 0 check (submissions >= 0),
  submitted_at timestamptz,
  closed_at timestamptz,
  withdrawn_amount integer not null default 0 check (withdrawn_amount >= 0),
  withdrawn_at timestamptz,
  reinstated_amount integer not null default 0 check (reinstated_amount >= 0),
  reinstated_at timestamptz,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint disputes_outcome
    check ((status = 'closed') = (outcome is not null) and (status = 'closed') = (closed_at is not null)),
  unique (provider, provider_dispute_id)
);
create index disputes_open on disputes (evidence_due_by) where status <> 'closed';
create index disputes_payment on disputes (payment_id);
comment on table disputes is 'Each dispute of a payment at the payer''s bank.';
comment on column disputes.is_inquiry is
  'The bank only asks so far, and has taken no money. An inquiry is not shown as a dispute.';
comment on column disputes.reason is 'The provider''s category.';
comment on column disputes.amount is 'Pence.';
comment on column disputes.submissions is 'How often evidence was submitted.';
comment on column disputes.closed_at is 'When it was first known to be closed.';
comment on column disputes.withdrawn_amount is 'Pence that the bank has taken from the firm.';
comment on column disputes.observed_at is
  'When the provider was asked for this state. An answer to an earlier question is stale.';

create table dispute_lookups (
  provider text not null,
  subject text not null check (subject in ('dispute', 'fraud_warning', 'review')),
  looked_at timestamptz not null,
  primary key (provider, subject)
);
comment on table dispute_lookups is 'Until when each provider was asked for new disputes, warnings and reviews.';

create table dispute_reminders (
  dispute_id uuid not null references disputes on delete cascade,
  due_by timestamptz not null,
  days integer not null check (days in (0, 1, 3, 7)),
  sent_at timestamptz not null,
  primary key (dispute_id, due_by, days)
);
comment on table dispute_reminders is 'The reminders of a deadline that were sent, or covered by a later one.';
comment on column dispute_reminders.days is 'Days before the deadline; 0 once it has passed.';

create table early_fraud_warnings (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_warning_id text not null,
  fraud_type text not null,
  is_actionable boolean not null,
  warned_at timestamptz not null,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_warning_id)
);
create index early_fraud_warnings_payment on early_fraud_warnings (payment_id);
comment on table early_fraud_warnings is 'The card''s bank suspects fraud, before any dispute.';
comment on column early_fraud_warnings.is_actionable is 'A refund would still prevent a dispute.';

create table ignored_dispute_objects (
  provider text not null,
  object_id text not null,
  ignored_at timestamptz not null,
  primary key (provider, object_id)
);
comment on table ignored_dispute_objects is
  'Disputes, warnings and reviews of money that is not from this installation. Each is looked up once.';

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
comment on table provider_reviews is 'The provider asks the firm to check a payment for fraud.';
