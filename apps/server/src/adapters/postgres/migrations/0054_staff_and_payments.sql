-- Refunds that staff request and approve at the desk name them by id: a name can be changed, and two people can share one.
alter table refunds
  add column requested_by_staff uuid references staff on delete restrict,
  -- The role at the time, which limited the amount.
  add column requested_by_role text check (requested_by_role in ('handler', 'finance', 'admin')),
  add column approved_by_staff uuid references staff on delete restrict,
  add check ((requested_by_staff is null) = (requested_by_role is null)),
  add check (requested_by_staff is null or requested_by is not null),
  add check (approved_by_staff is null or approved_by is not null);

-- Where both are known by id, the ids decide who is the second person; otherwise the names.
do $$
declare
  former text;
begin
  select conname into strict former from pg_constraint
    where conrelid = 'refunds'::regclass and pg_get_constraintdef(oid) like '%btrim(approved_by)%';
  execute format('alter table refunds drop constraint %I', former);
end $$;
alter table refunds add constraint refunds_two_people check (
  case when requested_by_staff is not null and approved_by_staff is not null
    then requested_by_staff <> approved_by_staff
    else lower(btrim(approved_by)) <> lower(btrim(requested_by)) end);

create or replace function check_refund_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not exists (
    select 1 from refund_transitions where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a refund does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'refund_transitions';
  elsif (new.payment_id, new.amount, new.created_at, new.requested_by, new.requested_by_staff, new.requested_by_role)
      is distinct from
      (old.payment_id, old.amount, old.created_at, old.requested_by, old.requested_by_staff, old.requested_by_role)
    or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)
    or (old.approved_by is not null and (new.approved_by, new.approved_by_staff)
      is distinct from (old.approved_by, old.approved_by_staff))
  then
    raise exception 'the payment, the amount and the people of a refund do not change'
      using errcode = 'check_violation', constraint = 'refund_terms';
  end if;
  return new;
end $$;

-- The latest reconciliation of payments, for the desk.
create table payment_check_reports (
  only_row boolean primary key default true check (only_row),
  checked_at timestamptz not null,
  -- Payments and intents since then were compared with the provider.
  since timestamptz not null,
  payments integer not null,
  intents integer not null,
  discrepancies jsonb not null
);

-- The desk lists all payments, newest first.
create index payments_newest on payments (created_at desc, id desc);
