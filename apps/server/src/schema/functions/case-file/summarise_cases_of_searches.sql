-- Only about results: paying for a search changes no summary, so a payment never waits for one.
create or replace function summarise_cases_of_searches() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id));
  elsif tg_op = 'DELETE' then
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.valid_until, n.code, n.status in ('returned', 'reviewed'), n.status = 'cancelled') is distinct from
        (o.valid_until, o.code, o.status in ('returned', 'reviewed'), o.status = 'cancelled')));
  end if;
  return null;
end $$;
