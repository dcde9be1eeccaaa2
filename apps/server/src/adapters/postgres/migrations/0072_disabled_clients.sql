-- A disabled client cannot sign in. Their cases and records stay as they are.
alter table clients add column disabled_at timestamptz(3);

-- Every way to sign in adds a session, so none can forget to ask. Without a row, the sign-in fails as with a wrong password.
-- The row lock serialises a sign-in with disabling the client.
create function skip_session_of_disabled_client() returns trigger language plpgsql as $$
begin
  perform from clients where id = new.client_id and disabled_at is null for share;
  if not found then return null; end if;
  return new;
end $$;
create trigger sessions_of_enabled_clients before insert on sessions
  for each row execute function skip_session_of_disabled_client();
