-- A client chose their first password. An import may set one too: the client did not do that.
create or replace function record_activated_change() returns trigger language plpgsql as $$
begin
  if current_setting('keyturn.import', true) = 'on' then return null; end if;
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.activated', new.updated_at, new.id, new.id);
  return null;
end $$;
