create trigger clients_broadcast after update on clients
  for each row when ((old.title, old.first_name, old.last_name, old.email, old.phone,
    old.active_case_id) is distinct from (new.title, new.first_name, new.last_name, new.email, new.phone,
    new.active_case_id))
  execute function broadcast_client();

create trigger clients_phone_change after update of phone_changed_at on clients
  for each row when (new.phone_changed_at is distinct from old.phone_changed_at
    and new.phone_changed_at is not null)
  execute function record_phone_change();

create trigger clients_summary_update after update on clients
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_renamed();

create trigger case_clients_broadcast_delete after delete on case_clients
  referencing old table as rows_before for each statement execute function broadcast_case_clients();

create trigger case_clients_broadcast_insert after insert on case_clients
  referencing new table as rows_after for each statement execute function broadcast_case_clients();

create trigger case_clients_summary_delete after delete on case_clients
  referencing old table as rows_before for each statement execute function summarise_cases_of_clients();

create trigger case_clients_summary_insert after insert on case_clients
  referencing new table as rows_after for each statement execute function summarise_cases_of_clients();

create trigger sessions_broadcast_deleted after delete on sessions
  for each row when (old.revoked_at is null and old.expires_at > now())
  execute function broadcast_ended_session();

create trigger sessions_broadcast_revoked after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function broadcast_ended_session();

create trigger sessions_of_enabled_clients before insert on sessions
  for each row execute function skip_session_of_disabled_client();
