create trigger desk_items_broadcast after insert or update or delete on desk_items
  for each statement execute function broadcast_to_desk();
