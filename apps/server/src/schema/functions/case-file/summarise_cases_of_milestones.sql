create or replace function summarise_cases_of_milestones() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id
      where n.status in ('current', 'blocked')));
  elsif tg_op = 'DELETE' then
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.title, n.status, n.actor, n.next_update_by) is distinct from
        (o.title, o.status, o.actor, o.next_update_by)));
  end if;
  return null;
end $$;
