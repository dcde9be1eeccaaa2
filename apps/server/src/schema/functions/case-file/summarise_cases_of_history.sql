create or replace function summarise_cases_of_history() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then
    changed := (select array_agg(distinct case_id) from rows_after where reference is not null);
  elsif tg_op = 'DELETE' then
    changed := (select array_agg(distinct case_id) from rows_before where reference is not null);
  else
    changed := (
      select array_agg(distinct n.case_id) from rows_after n join rows_before o on o.id = n.id
      where n.reference is not null and n.occurred_at <> o.occurred_at);
  end if;
  perform summarise_last_updates(changed);
  return null;
end $$;
