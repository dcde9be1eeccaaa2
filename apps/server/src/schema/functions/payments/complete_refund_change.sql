-- A change of the refunded total is a line of the record already: add which refund it is about.
create or replace function complete_refund_change() returns trigger language plpgsql as $$
begin
  if new.refund_id is null and new.money <> 0
    and new.from_status in ('succeeded', 'partially_refunded', 'refunded')
  then
    select refunds.id, refunds.status, refunds.amount into new.refund_id, new.refund_status, new.refund_amount
    from payments join refunds on refunds.id = payments.last_refund_id where payments.id = new.payment_id;
  end if;
  return new;
end $$;
