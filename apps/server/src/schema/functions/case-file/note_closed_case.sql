-- The retention of a case counts from the day on which it was completed or abandoned; of one that is
-- completed after it was abandoned, from its completion.
create or replace function note_closed_case() returns trigger language plpgsql as $$
begin
  if new.status not in ('completed', 'abandoned') then
    new.closed_at := null;
  elsif new.closed_at is null or (tg_op = 'UPDATE' and new.status <> old.status) then
    new.closed_at := now();
  end if;
  return new;
end $$;
