-- What client_changes reports is also what webhooks report.
create or replace function record_event_of_change() returns trigger language plpgsql as $$
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
    when 'payment.refunded', 'payment.refund_failed' then
      perform record_payment_event(new.type, payments.id || ' ' || provider_refund_id, new.occurred_at, payments)
        from refunds join payments on payments.id = payment_id where refunds.id = new.subject_id;
    when 'payment.disputed' then
      perform record_payment_event(new.type, disputes.provider || ' ' || provider_dispute_id, new.occurred_at, payments)
        from disputes join payments on payments.id = payment_id where disputes.id = new.subject_id;
    else null;
  end case;
  return null;
end $$;
