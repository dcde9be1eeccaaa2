-- Notifies the servers of a transaction's events at its commit, once.
create or replace function notify_of_events() returns trigger language plpgsql as $$
declare
  content text;
begin
  -- Once for each transaction.
  if new.id::text <> current_setting('keyturn.last_event', true) then return null; end if;
  -- More events than these are too long in any case.
  select case when count(*) <= 100 then json_build_object('transaction', new.transaction_id::text, 'events',
      json_agg(json_build_array(id, channel, event, ids, except_socket) order by id))::text end into content
    from (select * from broadcast_events where transaction_id = new.transaction_id limit 101) as of_transaction;
  perform pg_notify('keyturn_events',
    case when octet_length(content) < 7900 then content else new.transaction_id::text end);
  return null;
end $$;
