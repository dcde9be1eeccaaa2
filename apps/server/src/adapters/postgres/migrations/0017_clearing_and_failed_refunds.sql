-- Money that was paid clears some working days later, and a refund can fail at the provider after it was recorded.

alter table payments
  -- The day in London on which the provider makes the money available to the firm; null until the provider has said.
  add column clears_on date,
  -- When the provider first reported the money as available.
  add column cleared_at timestamptz,
  -- Pence of refunds that failed, out of all refunds that were ever made. It never decreases.
  add column failed_refund_amount integer not null default 0 check (failed_refund_amount >= 0),
  add constraint payments_cleared check (cleared_at is null or (paid_at is not null and clears_on is not null));
create index payments_to_clear on payments (next_check_at)
  where paid_at is not null and cleared_at is null and status <> 'refunded';

-- Money that was paid two weeks ago has cleared: asking the provider about every earlier payment would overload it.
alter table payments disable trigger user;
update payments set clears_on = (paid_at at time zone 'Europe/London')::date + 7, cleared_at = paid_at + interval '7 days'
  where paid_at < now() - interval '14 days';
alter table payments enable trigger user;

insert into payment_transitions (from_status, to_status) values
  ('partially_refunded', 'succeeded'),
  ('refunded', 'succeeded'),
  ('refunded', 'partially_refunded');

create or replace function check_payment_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'requires_payment_method' then
      raise exception 'a payment starts at requires_payment_method, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_transitions';
    end if;
  elsif new.status <> old.status and not exists (
    select 1 from payment_transitions where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a payment does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_transitions';
  elsif new.amount <> old.amount or new.currency <> old.currency or new.kind <> old.kind
    or new.case_id <> old.case_id or new.case_search_id is distinct from old.case_search_id
    or (old.provider_intent_id is not null and new.provider_intent_id is distinct from old.provider_intent_id)
  then
    raise exception 'what a payment is for, its amount and its intent do not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif new.failed_refund_amount < old.failed_refund_amount
    or new.refunded_amount + new.failed_refund_amount < old.refunded_amount + old.failed_refund_amount
  then
    raise exception 'a refund is only taken back when it has failed'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.cleared_at is not null
    and (new.cleared_at, new.clears_on) is distinct from (old.cleared_at, old.clears_on)
  then
    raise exception 'money that has cleared stays cleared'
      using errcode = 'check_violation', constraint = 'payment_terms';
  end if;
  return new;
end $$;

alter table payment_changes
  -- When the money cleared, where this change is that; else null.
  add column cleared_at timestamptz;

-- As the owner of the record, to which the server's own database role may not write.
create function record_payment_clearing() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  insert into payment_changes (payment_id, from_status, to_status, cause, provider_event_id, money, cleared_at)
  values (new.id, new.status, new.status, new.last_cause, new.last_provider_event_id, 0, new.cleared_at);
  return null;
end $$;
create trigger payments_record_clearing after update on payments
  for each row when (old.cleared_at is null and new.cleared_at is not null)
  execute function record_payment_clearing();

alter table payment_mails
  drop constraint payment_mails_kind_check,
  add constraint payment_mails_kind_check check (kind in ('receipt', 'refund', 'refund_failed', 'not_paid')),
  -- Pence that a mail about a refund reports; null for other mails.
  add column amount integer check (amount > 0);
update payment_mails set amount = refund.amount
from (
  select payment_id, occasion,
    occasion - coalesce(lag(occasion) over (partition by payment_id order by occasion), 0) as amount
  from payment_mails where kind = 'refund'
) as refund
where payment_mails.kind = 'refund' and payment_mails.payment_id = refund.payment_id
  and payment_mails.occasion = refund.occasion;

-- When the sandbox makes the money of a charge available.
alter table sandbox_charges add column available_at timestamptz;
update sandbox_charges set available_at = created_at + interval '3 days';
alter table sandbox_charges alter column available_at set not null;
