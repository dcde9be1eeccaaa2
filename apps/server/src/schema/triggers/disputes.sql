create trigger disputes_client_change_insert after insert on disputes
  for each row execute function record_disputed_change();

create trigger disputes_client_change_update after update on disputes
  for each row when (old.status <> 'closed' and new.status = 'closed')
  execute function record_disputed_change();
