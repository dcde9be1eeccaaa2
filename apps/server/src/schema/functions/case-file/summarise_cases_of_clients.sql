-- For case_clients, which are never updated.
create or replace function summarise_cases_of_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_words((select array_agg(distinct case_id) from rows_after));
  else
    perform summarise_words((select array_agg(distinct case_id) from rows_before));
  end if;
  return null;
end $$;
