create or replace function summarise_cases_of_renamed() returns trigger language plpgsql as $$
begin
  perform summarise_words((
    select array_agg(distinct case_id) from rows_after n
    join rows_before o on o.id = n.id and (n.first_name, n.last_name) is distinct from (o.first_name, o.last_name)
    join case_clients on client_id = n.id));
  return null;
end $$;
