create or replace function summarise_cases_of_matters() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_after));
  elsif tg_op = 'DELETE' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_before));
  else
    perform summarise_cases((
      select array_agg(distinct n.case_id) from rows_after n join rows_before o on o.id = n.id
      where (n.reference, n.matter_type, n.status, n.property, n.target_completion_on, n.completed_on)
        is distinct from (o.reference, o.matter_type, o.status, o.property, o.target_completion_on, o.completed_on)));
  end if;
  return null;
end $$;
