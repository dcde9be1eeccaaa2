-- What client_changes reports is also what webhooks report: one set of triggers decides that it happened. Tasks are only
-- reported by webhooks.

drop trigger payments_webhook on payments;
drop trigger refunds_webhook_insert on refunds;
drop trigger refunds_webhook_update on refunds;
drop trigger disputes_webhook on disputes;
drop trigger document_signatures_webhook on document_signatures;
drop trigger document_reads_webhook on document_reads;
drop function record_paid_event, record_refund_event, record_dispute_event, record_signature_event, record_read_event;

create function record_event_of_change() returns trigger language plpgsql as $$
begin
  case new.type
    when 'document.signed', 'document.read' then
      perform record_document_event(new.type, new.occurred_at, new.subject_id, new.client_id);
    when 'client.activated' then
      perform record_webhook_event(new.type, id::text, new.occurred_at, id, jsonb_build_object('client', reference),
        '/login') from clients where id = new.client_id;
    when 'payment.succeeded' then
      perform record_payment_event(new.type, payments.id::text, new.occurred_at, payments)
        from payments where id = new.payment_id;
    when 'payment.refunded' then
      perform record_payment_event(new.type, payments.id || ' ' || provider_refund_id, new.occurred_at, payments)
        from refunds join payments on payments.id = payment_id where refunds.id = new.subject_id;
    when 'payment.disputed' then
      perform record_payment_event(new.type, disputes.provider || ' ' || provider_dispute_id, new.occurred_at, payments)
        from disputes join payments on payments.id = payment_id where disputes.id = new.subject_id;
    else null;
  end case;
  return null;
end $$;
create trigger client_changes_webhook after insert on client_changes
  for each row execute function record_event_of_change();
