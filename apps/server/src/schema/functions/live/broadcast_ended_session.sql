-- Every server closes the connections of a session that ends early. The event is for servers only.
create or replace function broadcast_ended_session() returns trigger language plpgsql as $$
begin
  perform broadcast('#sessions', 'ended', array[encode(old.token_hash, 'hex')]);
  return null;
end $$;
