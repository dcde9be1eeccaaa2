-- Finds the payments that a client has started or confirmed and that are not settled, also in cases that they
-- have left.
create or replace function unsettled_payments(client uuid) returns setof payments language sql stable as $$
  select * from payments
  where client in (client_id, confirmed_by) and (
    status in ('requires_payment_method', 'requires_action', 'processing')
    or dispute_status in ('inquiry', 'open')
    or exists (
      select from refunds where payment_id = payments.id
        and refunds.status in ('awaiting_approval', 'approved', 'pending', 'requires_action')))
$$;
