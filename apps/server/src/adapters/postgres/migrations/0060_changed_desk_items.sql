-- Open desks fetch again what a colleague has assigned, snoozed or marked as done.
create function broadcast_to_desk() returns trigger language plpgsql as $$
begin
  perform broadcast('private-desk', 'DeskUpdated', '{}');
  return null;
end $$;
create trigger desk_items_broadcast after insert or update or delete on desk_items
  for each statement execute function broadcast_to_desk();
