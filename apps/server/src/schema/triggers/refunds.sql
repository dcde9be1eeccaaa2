create trigger refunds_broadcast_update after update on refunds
  for each row when (new.status <> old.status) execute function broadcast_refund();

create trigger refunds_check_transition before update on refunds
  for each row execute function check_refund_transition();

create trigger refunds_client_change_failed after update on refunds
  for each row when (old.status = 'succeeded' and (new.status in ('failed', 'cancelled')))
  execute function record_refunded_change();

create trigger refunds_client_change_insert after insert on refunds
  for each row when (new.status = 'succeeded') execute function record_refunded_change();

create trigger refunds_client_change_update after update on refunds
  for each row when (old.status <> 'succeeded' and new.status = 'succeeded')
  execute function record_refunded_change();

create trigger refunds_kept before delete or truncate on refunds
  for each statement execute function refuse_change();

create trigger refunds_record_change after insert or update on refunds
  for each row execute function record_refund_change();
