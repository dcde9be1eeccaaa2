create trigger client_changes_webhook after insert on client_changes
  for each row execute function record_event_of_change();

create trigger webhook_endpoints_kept before delete or truncate on webhook_endpoints
  for each statement execute function refuse_change();
