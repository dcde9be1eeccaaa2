-- A refund that the provider completes changes no amount of its payment, but what open pages say about the
-- payment.
create or replace function broadcast_refund() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || payments.case_id, 'PaymentUpdated', array[payments.id::text])
    from payments where payments.id = new.payment_id;
  return null;
end $$;
