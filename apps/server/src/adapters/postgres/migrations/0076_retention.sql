-- How long records are kept, and until when each case has to be.

create table retention_rules (
  kind text primary key check (kind in (
    'purchase', 'sale', 'remortgage', 'transfer-of-equity', 'abandoned', 'payments', 'clients_without_cases')),
  months integer not null check (months between 1 and 1200),
  -- Whether the daily job deletes what is due. Otherwise it is only listed.
  deletes boolean not null default false,
  changed_at timestamptz(3),
  changed_by text
);
-- Usual periods in England and Wales; docs/retention.md has the sources.
insert into retention_rules (kind, months) values
  ('purchase', 180), ('transfer-of-equity', 180), ('sale', 84), ('remortgage', 84), ('abandoned', 84),
  ('payments', 84), ('clients_without_cases', 12);

-- When a case was last completed or abandoned; null while it is open.
alter table conveyancing_cases add column closed_at timestamptz(3);
create function note_closed_case() returns trigger language plpgsql as $$
begin
  if new.status not in ('completed', 'abandoned') then
    new.closed_at := null;
  elsif new.closed_at is null then
    new.closed_at := now();
  end if;
  return new;
end $$;
create trigger conveyancing_cases_closed before insert or update of status on conveyancing_cases
  for each row execute function note_closed_case();
update conveyancing_cases set closed_at = greatest(updated_at, created_at) where status in ('completed', 'abandoned');
create index conveyancing_cases_closed_at on conveyancing_cases (closed_at) where closed_at is not null;

-- The kinds that a case belongs to: those of its matters that were not abandoned.
create function case_retention_kinds(of_case conveyancing_cases) returns text[] language sql stable as $$
  select coalesce(
    (select array_agg(distinct matter_type) from matters
      where case_id = of_case.id and status <> 'abandoned' and of_case.status <> 'abandoned'),
    array['abandoned'])
$$;

-- When the retention of a closed case ends: of the longest of its kinds, and of its payments. Null while it is open.
create function case_retained_until(of_case conveyancing_cases) returns timestamptz language sql stable as $$
  select case when of_case.closed_at is not null then greatest(
    of_case.closed_at + make_interval(months => (
      select max(months) from retention_rules where kind = any(case_retention_kinds(of_case)))),
    (select max(greatest(paid_at, updated_at)) + make_interval(months => (
        select months from retention_rules where kind = 'payments'))
      from payments where case_id = of_case.id and paid_at is not null)
  ) end
$$;
