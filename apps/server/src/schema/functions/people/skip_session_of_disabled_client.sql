-- Every way to sign in adds a session, so none can forget to ask. Without a row, the sign-in fails as with a
-- wrong password. The row lock serialises a sign-in with disabling the client.
create or replace function skip_session_of_disabled_client() returns trigger language plpgsql as $$
begin
  perform from clients where id = new.client_id and disabled_at is null for share;
  if not found then return null; end if;
  return new;
end $$;
