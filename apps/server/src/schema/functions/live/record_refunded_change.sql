-- Reports that a refund was made, or failed afterwards.
create or replace function record_refunded_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
    select case when new.status = 'succeeded' then 'payment.refunded' else 'payment.refund_failed' end,
      coalesce(new.failed_at, new.updated_at), coalesce(confirmed_by, client_id), id, new.id, new.amount
    from payments where id = new.payment_id;
  return null;
end $$;
