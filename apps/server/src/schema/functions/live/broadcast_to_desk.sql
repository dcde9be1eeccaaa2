-- Open desks fetch again what a colleague has assigned, snoozed or marked as done.
create or replace function broadcast_to_desk() returns trigger language plpgsql as $$
begin
  perform broadcast('private-desk', 'DeskUpdated', '{}');
  return null;
end $$;
