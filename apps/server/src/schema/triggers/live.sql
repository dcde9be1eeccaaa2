create trigger broadcast_events_note after insert on broadcast_events
  referencing new table as rows_after for each statement execute function note_last_event();

create constraint trigger broadcast_events_notify after insert on broadcast_events deferrable initially deferred
  for each row execute function notify_of_events();

create trigger maintenance_broadcast after insert or update or delete on maintenance
  for each statement execute function broadcast_maintenance();
