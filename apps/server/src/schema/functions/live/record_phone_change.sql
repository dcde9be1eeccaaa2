-- Reports that a client changed their phone number.
create or replace function record_phone_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.phone_changed', new.phone_changed_at, new.id, new.id);
  return null;
end $$;
