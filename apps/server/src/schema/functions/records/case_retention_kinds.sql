-- The kinds that a case belongs to: those of its matters that were not abandoned.
create or replace function case_retention_kinds(of_case conveyancing_cases) returns text[]
  language sql stable as $$
  select coalesce(
    (select array_agg(distinct matter_type) from matters
      where case_id = of_case.id and status <> 'abandoned' and of_case.status <> 'abandoned'),
    array['abandoned'])
$$;
