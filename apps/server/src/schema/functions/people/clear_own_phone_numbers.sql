-- The row of an erased client may remain for the records that refer to it.
create or replace function clear_own_phone_numbers() returns trigger language plpgsql as $$
begin
  new.phone_changed_at := null;
  new.replaced_feed_phone := null;
  new.former_phone := null;
  new.recent_phones := '{}';
  return new;
end $$;
