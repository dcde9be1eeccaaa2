create or replace function summarise_changed_cases() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(id) from rows_after));
  else
    perform summarise_cases((
      select array_agg(n.id) from rows_after n join rows_before o on o.id = n.id
      where (n.reference, n.title, n.status, n.handlers) is distinct from (o.reference, o.title, o.status, o.handlers)));
  end if;
  return null;
end $$;
