-- The notification of a transaction carries its events if they are short, so that servers need not read them. They are
-- complete only at the commit, because events of a kind on a channel become one. Servers of earlier versions listen on
-- keyturn_broadcast, whose notifications only name the transaction.

-- A rollback to a savepoint takes the setting back together with the event.
create function note_last_event() returns trigger language plpgsql as $$
begin
  perform set_config('keyturn.last_event', new.id::text, true);
  return null;
end $$;
create trigger broadcast_events_note after insert on broadcast_events
  for each row execute function note_last_event();

create function notify_of_events() returns trigger language plpgsql as $$
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
create constraint trigger broadcast_events_notify after insert on broadcast_events
  deferrable initially deferred for each row execute function notify_of_events();
