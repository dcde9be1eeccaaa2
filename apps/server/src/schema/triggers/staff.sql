create trigger staff_kept before delete or truncate on staff
  for each statement execute function refuse_change();

create trigger staff_sessions_broadcast_deleted after delete on staff_sessions
  for each row when (old.ended_at is null and old.expires_at > now())
  execute function broadcast_ended_session();

-- Connections to the real-time channel end with the session of the member who authorised them, as those of
-- clients do.
create trigger staff_sessions_broadcast_ended after update of ended_at on staff_sessions
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function broadcast_ended_session();
