-- A refund that the provider completes changes no amount of its payment, but what open pages say about the payment.
create function broadcast_refund() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || payments.case_id, 'PaymentUpdated', array[payments.id::text])
    from payments where payments.id = new.payment_id;
  return null;
end $$;
create trigger refunds_broadcast_update after update on refunds
  for each row when (new.status <> old.status) execute function broadcast_refund();
