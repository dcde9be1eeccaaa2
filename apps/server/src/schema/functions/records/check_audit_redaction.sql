-- Only a redaction may change an entry, and only its name and address.
create or replace function check_audit_redaction() returns trigger language plpgsql as $$
begin
  if new.actor_name <> 'Erased client' or new.address is not null
    or to_jsonb(new) - array['actor_name', 'address'] <> to_jsonb(old) - array['actor_name', 'address']
    or not exists (
      select from audit_redactions redaction join erasures on erasures.id = redaction.erasure_id
      where redaction.entry_id = old.id and erasures.subject_id::text = old.actor_id
        and erasures.transaction_id = pg_current_xact_id_if_assigned())
  then
    raise exception 'audit_entries is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
