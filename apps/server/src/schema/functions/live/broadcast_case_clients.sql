-- When the clients of a case change, they are notified, and every server closes the channels that are no longer
-- theirs.
create or replace function broadcast_case_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform broadcast_all((
      select array_agg(row('private-client.' || client_id, 'CaseUpdated', ids)::new_event)
      from (select client_id, array_agg(case_id::text) as ids from rows_after group by client_id) of_client));
  else
    perform broadcast_all((
      select array_agg(row('private-client.' || client_id, 'CaseUpdated', ids)::new_event)
      from (select client_id, array_agg(case_id::text) as ids from rows_before group by client_id) of_client));
    perform broadcast_all((
      select array[row('#access', 'ended', array_agg(distinct client_id::text))::new_event]
      from rows_before having count(*) > 0));
  end if;
  return null;
end $$;
