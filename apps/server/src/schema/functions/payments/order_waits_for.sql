-- What the order of a search that a payment has paid for waits for; null if it can be ordered.
create or replace function order_waits_for(payment payments) returns text language sql stable as $$
  select case
    when awaits_payer_check(payment) then 'payer_check'
    when payment.paid_at is not null and payment.cleared_at is null
      and firm_data_value('payment_rules') ->> 'order_searches' = 'cleared' then 'clearing'
  end
$$;
