-- Each refund of a payment, the requests that staff make for one, and the mails about payments.

create table refunds (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider_refund_id text,
  amount integer not null check (amount > 0),
  status text not null
    check (status in ('awaiting_approval', 'approved', 'rejected', 'pending', 'requires_action', 'succeeded',
    'failed', 'cancelled')),
  reason text,
  note text,
  requested_by text,
  approved_by text,
  request_key text,
  provider_idempotency_key text unique,
  failure_reason text,
  last_cause text not null,
  last_provider_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  failed_at timestamptz,
  requested_by_staff uuid references staff on delete restrict,
  requested_by_role text check (requested_by_role in ('handler', 'finance', 'admin')),
  approved_by_staff uuid references staff on delete restrict,
  constraint refunds_check1
    check ((status not in ('awaiting_approval', 'approved', 'rejected')) or provider_refund_id is null),
  constraint refunds_check2
    check ((status in ('awaiting_approval', 'approved', 'rejected')) or provider_refund_id is not null),
  constraint refunds_check3 check ((status in ('failed', 'cancelled')) = (failed_at is not null)),
  constraint refunds_check4 check ((requested_by_staff is null) = (requested_by_role is null)),
  constraint refunds_check5 check (requested_by_staff is null or requested_by is not null),
  constraint refunds_check6 check (approved_by_staff is null or approved_by is not null),
  unique (payment_id, provider_refund_id),
  unique (payment_id, request_key),
  -- Where both are known by id, the ids decide who is the second person; otherwise the names.
  constraint refunds_two_people check (
    case when requested_by_staff is not null and approved_by_staff is not null
      then requested_by_staff <> approved_by_staff
      else lower(btrim(approved_by)) <> lower(btrim(requested_by)) end)
);
create index refunds_open on refunds (created_at)
  where status in ('awaiting_approval', 'approved', 'pending', 'requires_action');
alter table payments add foreign key (last_refund_id) references refunds on delete restrict;
comment on table refunds is 'Each refund of a payment, with its status at the provider.';
comment on column refunds.provider_refund_id is 'Null until the provider has created the refund.';
comment on column refunds.reason is 'The provider''s code.';
comment on column refunds.note is 'The reason in the words of staff. Clients never see it.';
comment on column refunds.approved_by is 'The second person, who is never the first.';
comment on column refunds.request_key is
  'The key of the command that requested it: the same command makes no second refund.';
comment on column refunds.provider_idempotency_key is 'The key that the provider is called with.';
comment on column refunds.failure_reason is
  'The provider''s code for a refund that failed or was cancelled, or why a request was rejected.';
comment on column refunds.failed_at is 'When it failed or was cancelled.';
comment on column refunds.requested_by_staff is
  'Refunds that staff request and approve at the desk name them by id: a name can be changed, and two people '
  'can share one.';
comment on column refunds.requested_by_role is 'The role at the time, which limited the amount.';

create table refund_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
comment on table refund_transitions is
  'The allowed changes; refund-states.ts has the same table, and a test compares them.';

insert into refund_transitions (from_status, to_status) values
  ('awaiting_approval', 'approved'),
  ('awaiting_approval', 'rejected'),
  ('approved', 'rejected'),
  ('approved', 'requires_action'),
  ('approved', 'pending'),
  ('approved', 'succeeded'),
  ('approved', 'failed'),
  ('approved', 'cancelled'),
  ('requires_action', 'pending'),
  ('requires_action', 'succeeded'),
  ('requires_action', 'failed'),
  ('requires_action', 'cancelled'),
  ('pending', 'succeeded'),
  ('pending', 'failed'),
  ('pending', 'cancelled'),
  ('succeeded', 'failed'),
  ('succeeded', 'cancelled');

create table refund_checks (
  provider text primary key,
  listed_until timestamptz not null
);
comment on table refund_checks is
  'Until when the refunds at a provider were listed, which finds those whose webhooks were lost.';

create table payment_mails (
  payment_id uuid not null references payments on delete restrict,
  kind text not null check (kind in ('receipt', 'refund', 'refund_failed', 'not_paid')),
  occasion integer not null,
  client_id uuid not null references clients on delete restrict,
  address text not null,
  written_at timestamptz not null,
  sent_at timestamptz,
  message_id text,
  amount integer check (amount > 0),
  refund_id uuid references refunds on delete restrict,
  primary key (payment_id, kind, occasion)
);
create unique index payment_mails_refund on payment_mails (kind, refund_id);
comment on table payment_mails is 'Each mail about a payment, written in the transaction that it reports.';
comment on column payment_mails.occasion is
  'Distinguishes mails of a kind: 1 for a receipt, the pence refunded so far for a refund, a count for failed '
  'payments.';
comment on column payment_mails.client_id is 'The client who confirmed last.';
comment on column payment_mails.address is 'The recipient.';
comment on column payment_mails.sent_at is 'Null until the mail server has accepted it.';
comment on column payment_mails.amount is 'Pence that a mail about a refund reports; null for other mails.';
comment on column payment_mails.refund_id is 'One mail for each refund that is made, and one for each that fails.';
