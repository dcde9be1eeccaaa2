-- Removes the name and address from the entry of a redaction.
create or replace function redact_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update audit_entries set actor_name = 'Erased client', address = null where id = new.entry_id;
  return null;
end $$;
