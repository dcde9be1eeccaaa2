-- When the retention of a closed case ends: of the longest of its kinds, and of its payments. Null while it
-- is open.
create or replace function case_retained_until(of_case conveyancing_cases) returns timestamptz
  language sql stable as $$
  select case when of_case.closed_at is not null then greatest(
    of_case.closed_at + make_interval(months => (
      select max(months) from retention_rules where kind = any(case_retention_kinds(of_case)))),
    (select max(greatest(paid_at, updated_at)) + make_interval(months => (
        select months from retention_rules where kind = 'payments'))
      from payments where case_id = of_case.id and paid_at is not null)
  ) end
$$;
