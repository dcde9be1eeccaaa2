-- Payments and their record. The database itself refuses a transition that is not allowed, a second payment for a
-- search and a change of the record.

create table payments (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete restrict,
  client_id uuid not null references clients on delete restrict,
  kind text not null check (kind in ('search', 'other')),
  status text not null,
  amount integer not null check (amount > 0),
  currency text not null default 'gbp' check (currency = 'gbp'),
  description text not null,
  category text not null,
  reference text,
  matter_id uuid references matters on delete restrict,
  case_search_id uuid references case_searches on delete restrict,
  lines jsonb not null,
  provider text not null check (provider in ('sandbox', 'stripe', 'stripe_business')),
  provider_intent_id text,
  provider_idempotency_key text not null unique,
  provider_revision integer,
  order_now boolean,
  order_now_at timestamptz,
  own_card boolean,
  payer_name text,
  receipt_email text,
  receipt_number text unique,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  failure_code text,
  refunded_amount integer not null default 0,
  paid_at timestamptz,
  last_cause text not null,
  last_provider_event_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  confirmed_by uuid references clients on delete restrict,
  next_check_at timestamptz not null default now(),
  review_reason text,
  dispute_status text check (dispute_status in ('inquiry', 'open', 'won', 'lost')),
  dispute_amount integer check (dispute_amount > 0),
  dispute_opened_at timestamptz,
  last_payer_id uuid references clients on delete restrict,
  last_payer_address text,
  wording text,
  cancel_requested_by uuid references clients on delete restrict,
  clears_on date,
  cleared_at timestamptz,
  failed_refund_amount integer not null default 0 check (failed_refund_amount >= 0),
  last_refund_id uuid,
  search_released_at timestamptz,
  provider_account_id text,
  bill_id uuid references bills,
  statement_descriptor text,
  supplier jsonb,
  card_wallet text check (card_wallet in ('apple_pay', 'google_pay')),
  method text not null default 'card' check (method in ('card', 'bank')),
  constraint payments_by_bank_have_no_card
    check (method = 'card' or card_brand is null and card_last4 is null and own_card is not false),
  constraint payments_check check (refunded_amount >= 0 and refunded_amount <= amount),
  constraint payments_check1 check ((kind = 'search') = (case_search_id is not null)),
  constraint payments_check2
    check ((status in ('succeeded', 'partially_refunded', 'refunded')) = (paid_at is not null)),
  constraint payments_check3
    check ((status = 'partially_refunded') = (refunded_amount > 0 and refunded_amount < amount)),
  constraint payments_check4 check ((status = 'refunded') = (refunded_amount = amount)),
  constraint payments_cleared check (cleared_at is null or paid_at is not null and clears_on is not null),
  constraint payments_dispute
    check ((dispute_status is null) = (dispute_amount is null)
    and (dispute_status is null) = (dispute_opened_at is null)),
  unique (provider, provider_intent_id)
);
create index payments_case on payments (case_id);
create index payments_newest on payments (created_at desc, id desc);
create index payments_of_bill on payments (bill_id) where bill_id is not null;
create unique index payments_one_per_search on payments (case_search_id)
  where status <> 'cancelled' and search_released_at is null;
create index payments_open_of_payer on payments (last_payer_id)
  where status in ('requires_payment_method', 'requires_action');
create index payments_to_check on payments (next_check_at)
  where status in ('requires_payment_method', 'requires_action', 'processing');
create index payments_to_clear on payments (next_check_at)
  where paid_at is not null and cleared_at is null and status <> 'refunded';
create index payments_to_review on payments (updated_at) where review_reason is not null;
create index payments_under_review on payments (case_search_id) where review_reason is not null;
comment on table payments is 'Each payment of a client, from its start.';
comment on column payments.client_id is 'The client who started it.';
comment on column payments.provider_intent_id is
  'Null until the provider has answered the first call. The idempotency key makes that call safe to repeat.';
comment on column payments.provider_revision is
  'The latest known revision of the intent, where the provider counts its changes.';
comment on column payments.last_cause is
  'Why the last change was made. A trigger copies this and the event into the record.';
comment on column payments.confirmed_by is 'The client who confirmed last; null: the client who started it.';
comment on column payments.next_check_at is 'When the catch-up next asks the provider about it, while it is open.';
comment on column payments.review_reason is
  'Why the payment needs manual review, such as an intent with another amount; null if it does not.';
comment on column payments.dispute_status is
  'The latest dispute of the payer''s bank, as the provider reports it; null without a dispute.';
comment on column payments.last_payer_id is 'The client who last requested the intent to pay it.';
comment on column payments.last_payer_address is 'The address that the request of `last_payer_id` came from.';
comment on column payments.wording is
  'Which text the client who confirmed last had read: a version of payment-wording.ts.';
comment on column payments.cancel_requested_by is
  'The client who last asked to cancel it while it was open; null for payments that expired.';
comment on column payments.clears_on is
  'The day in London on which the provider makes the money available to the firm; null until it is known.';
comment on column payments.cleared_at is 'When the provider first reported the money as available.';
comment on column payments.failed_refund_amount is
  'Pence of refunds that failed, out of all refunds that were ever made. It never decreases.';
comment on column payments.last_refund_id is
  'The refund that the last change of the totals was about, for the record.';
comment on column payments.search_released_at is
  'When the firm offered the search again after a full refund: another payment may pay for it.';
comment on column payments.provider_account_id is
  'The provider''s account that has the intent, such as acct_1ABC; null for payments without an intent.';
comment on column payments.bill_id is 'The bill that it pays; null for all other money.';
comment on column payments.statement_descriptor is
  'How the payer''s statement shows the payment, according to the provider; null if no money moved.';
comment on column payments.supplier is
  'The firm when the payment was made, for its VAT receipt: name, address and VAT number. Null for unpaid '
  'payments.';
comment on column payments.card_wallet is 'The wallet that contains the card; null for a card that was typed in.';
comment on column payments.method is
  'Part of what the provider''s intent was created with, so it never changes: a client who chooses another '
  'method starts another payment.';
comment on constraint payments_by_bank_have_no_card on payments is
  'A payment by bank has no card, and its account is the client''s own.';
comment on index payments_newest is 'The desk lists all payments, newest first.';
comment on index payments_one_per_search is
  'A search is charged at most once, until the firm has refunded it and offers it again.';

create table payment_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
comment on table payment_transitions is
  'The allowed transitions; payment-states.ts has the same table, and a test compares them.';

insert into payment_transitions (from_status, to_status) values
  ('requires_payment_method', 'requires_action'),
  ('requires_payment_method', 'processing'),
  ('requires_payment_method', 'succeeded'),
  ('requires_payment_method', 'cancelled'),
  ('requires_action', 'requires_payment_method'),
  ('requires_action', 'processing'),
  ('requires_action', 'succeeded'),
  ('requires_action', 'cancelled'),
  ('processing', 'requires_payment_method'),
  ('processing', 'requires_action'),
  ('processing', 'succeeded'),
  ('processing', 'cancelled'),
  ('succeeded', 'partially_refunded'),
  ('succeeded', 'refunded'),
  ('partially_refunded', 'refunded'),
  ('partially_refunded', 'succeeded'),
  ('refunded', 'succeeded'),
  ('refunded', 'partially_refunded');

create table payment_changes (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payments on delete restrict,
  from_status text,
  to_status text not null,
  cause text not null,
  provider_event_id text,
  failure_code text,
  money integer not null,
  recorded_at timestamptz not null default clock_timestamp(),
  confirmed_by uuid references clients on delete restrict,
  confirmed jsonb,
  review_reason text,
  dispute_status text,
  dispute_amount integer,
  confirmed_from text,
  confirmed_wording text,
  cancelled_by uuid references clients on delete restrict,
  cleared_at timestamptz,
  refund_id uuid,
  refund_status text,
  refund_amount integer,
  search_released_at timestamptz
);
create index payment_changes_payment on payment_changes (payment_id, id);
comment on table payment_changes is
  'The record: one row for each change of a payment, written by triggers and never changed.';
comment on column payment_changes.money is 'Pence received (positive) or refunded (negative) by this change.';
comment on column payment_changes.confirmed_by is 'The client who confirmed, if this change is a confirmation.';
comment on column payment_changes.confirmed is 'What the client confirmed, if this change is a confirmation.';
comment on column payment_changes.review_reason is 'After this change, as are the columns about the dispute.';
comment on column payment_changes.confirmed_from is 'The address that the confirmation came from.';
comment on column payment_changes.confirmed_wording is 'The version of the text that the client confirmed.';
comment on column payment_changes.cancelled_by is 'The client who asked for the cancellation, if this change is one.';
comment on column payment_changes.cleared_at is 'When the money cleared, if this change is the clearing.';
comment on column payment_changes.refund_id is 'The refund, if this change is one of a refund.';
comment on column payment_changes.search_released_at is
  'When the firm offered the search again, if this change is that.';

create table payment_attempts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('start', 'decline')),
  payment_id uuid not null references payments on delete cascade,
  client_id uuid not null references clients on delete cascade,
  address bytea check (octet_length(address) = 32),
  provider_event_id text,
  happened_at timestamptz not null
);
create index payment_attempts_address on payment_attempts (address, kind, happened_at);
create index payment_attempts_age on payment_attempts (happened_at);
create index payment_attempts_client on payment_attempts (client_id, kind, happened_at);
create unique index payment_attempts_event on payment_attempts (payment_id, provider_event_id);
create index payment_attempts_payment on payment_attempts (payment_id);
comment on table payment_attempts is
  'Started payments and declined cards, which are counted against card testing for each client and address. '
  'Deleted after a day.';
comment on column payment_attempts.address is
  'SHA-256 of the part of the address that one attacker cannot change at will; null if it is unknown.';
comment on column payment_attempts.provider_event_id is
  'The provider''s event that reported a decline; null if a check or the payer''s own request found it first.';

create table payment_idempotency_keys (
  client_id uuid not null references clients on delete cascade,
  key text not null,
  content_hash bytea not null,
  payment_id uuid not null references payments on delete cascade,
  created_at timestamptz not null default now(),
  primary key (client_id, key)
);
create index payment_idempotency_keys_age on payment_idempotency_keys (created_at);
comment on table payment_idempotency_keys is
  'Idempotency-Key of the calls that start a payment: the same content gets the same payment.';

create table payment_links (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
  case_id uuid not null references conveyancing_cases on delete cascade,
  case_search_id uuid references case_searches on delete cascade,
  bill_id uuid references bills on delete cascade,
  category text,
  description text not null,
  amount integer not null check (amount > 0),
  request_key text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  message_id text,
  opened_at timestamptz,
  withdrawn_at timestamptz,
  constraint payment_links_check check (num_nonnulls(case_search_id, bill_id, category) = 1),
  unique (client_id, request_key)
);
create index payment_links_of_case on payment_links (case_id, created_at);
create index payment_links_of_client on payment_links (client_id, created_at);
comment on table payment_links is
  'The payment links that the firm has mailed: which client was asked to pay for what, at which price, and '
  'when they opened it. The link is no secret: it only works after the client has signed in.';
comment on column payment_links.category is 'For money that is neither for a search nor for a bill.';
comment on column payment_links.amount is 'Pence, when the link was sent.';
comment on column payment_links.request_key is 'The same request is mailed to a client once.';
comment on column payment_links.withdrawn_at is 'A withdrawn link leads to no payment, and says so.';

create table payment_continuity (
  only_row boolean default true primary key check (only_row),
  rounds bigint not null default 0,
  checked_until timestamptz not null default now(),
  closed_at timestamptz,
  closed_reason text,
  left_intents text[] not null default '{}',
  constraint payment_continuity_check check ((closed_at is null) = (closed_reason is null))
);
comment on table payment_continuity is
  'Distinguishes a restored database from one that has continued. Servers compare the payments with the '
  'provider and store here until when both agree; a restored database has an earlier time.';
comment on column payment_continuity.rounds is
  'Increases with every comparison. A server that has seen a higher number is looking at a restored database.';
comment on column payment_continuity.checked_until is
  'Until when every intent of the provider is known to have its payment in this database.';
comment on column payment_continuity.closed_at is
  'Since when no payment is accepted; null while payments are accepted.';
comment on column payment_continuity.left_intents is
  'Intents without a payment in this database that an operator has dealt with.';

insert into payment_continuity default values;

create table payment_check_reports (
  only_row boolean default true primary key check (only_row),
  checked_at timestamptz not null,
  since timestamptz not null,
  payments integer not null,
  intents integer not null,
  discrepancies jsonb not null
);
comment on table payment_check_reports is 'The latest reconciliation of payments, for the desk.';
comment on column payment_check_reports.since is 'Payments and intents since then were compared with the provider.';

create table receipt_counters (
  year integer primary key,
  last integer not null check (last > 0)
);
comment on table receipt_counters is
  'The last receipt number of each year, counted in the transaction that uses it, so that a rollback leaves no '
  'gap.';

create table receipt_files (
  payment_id uuid not null references payments on delete restrict,
  refunded_amount integer not null check (refunded_amount >= 0),
  is_cleared boolean not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  made_at timestamptz not null,
  clears_on date,
  refunds text not null default '',
  dispute text not null default 'none' check (dispute in ('none', 'inquiry', 'open', 'lost')),
  constraint receipt_files_facts
    unique nulls not distinct (payment_id, refunded_amount, is_cleared, clears_on, refunds, dispute)
);
create index receipt_files_sha256 on receipt_files (sha256);
comment on table receipt_files is
  'The PDF of each receipt, made once: a payment has another one after each refund, when its money has '
  'cleared, and when the day changes on which it clears.';
comment on column receipt_files.refunded_amount is 'Pence, as the receipt shows.';
comment on column receipt_files.refunds is 'The refunds as the receipt shows them.';
comment on column receipt_files.dispute is 'A receipt of disputed money says so.';
