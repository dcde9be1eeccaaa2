create trigger legal_holds_check before update on legal_holds
  for each row execute function check_hold_change();

create trigger legal_holds_kept before delete or truncate on legal_holds
  for each statement execute function refuse_change();

create trigger erasures_append_only before update or delete or truncate on erasures
  for each statement execute function refuse_change();

create trigger erasures_check before insert on erasures
  for each row execute function refuse_erasure_under_hold();

create trigger erasures_during_payment before insert on erasures
  for each row when (new.subject_kind = 'client' and new.basis <> 'restored')
  execute function refuse_erasure_during_payment();

create trigger erased_rows_append_only before update or delete or truncate on erased_rows
  for each statement execute function refuse_change();

create trigger erased_files_kept before delete or truncate on erased_files
  for each statement execute function refuse_change();

create trigger erased_payments_append_only before update or delete or truncate on erased_payments
  for each statement execute function refuse_change();

create trigger erased_signatures_append_only before update or delete or truncate on erased_signatures
  for each statement execute function refuse_change();

create trigger audit_redactions_append_only before update or delete or truncate on audit_redactions
  for each statement execute function refuse_change();

create trigger audit_redactions_apply after insert on audit_redactions
  for each row execute function redact_audit_entry();
