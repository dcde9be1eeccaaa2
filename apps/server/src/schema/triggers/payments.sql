create trigger payments_announce_change after update on payments
  for each row execute function announce_payment_change();

create trigger payments_check_transition before insert or update on payments
  for each row execute function check_payment_transition();

create trigger payments_kept before delete or truncate on payments
  for each statement execute function refuse_change();

create trigger payments_record_change after insert or update on payments
  for each row execute function record_payment_change();

create trigger payment_changes_append_only before update or delete or truncate on payment_changes
  for each statement execute function refuse_change();

create trigger payment_changes_complete before insert on payment_changes
  for each row execute function complete_confirmation();

create trigger payment_changes_complete_refund before insert on payment_changes
  for each row execute function complete_refund_change();

create trigger receipt_files_append_only before update or delete or truncate on receipt_files
  for each statement execute function refuse_change();
