create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

create constraint trigger audit_entries_link after insert on audit_entries deferrable initially deferred
  for each row execute function link_audit_entry();

create trigger audit_entries_redaction before update on audit_entries
  for each row execute function check_audit_redaction();

create trigger audit_links_append_only before update or delete or truncate on audit_links
  for each statement execute function refuse_change();
