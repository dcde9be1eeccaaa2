-- A rollback to a savepoint takes the setting back together with the events.
create or replace function note_last_event() returns trigger language plpgsql as $$
declare
  last bigint := (select max(id) from rows_after);
begin
  if last is not null then perform set_config('keyturn.last_event', last::text, true); end if;
  return null;
end $$;
