-- The client's own details, and which case they have open, on all of their devices.
create or replace function broadcast_client() returns trigger language plpgsql as $$
begin
  perform broadcast('private-client.' || new.id, 'CaseUpdated', '{}');
  return null;
end $$;
