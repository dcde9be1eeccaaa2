-- What the order of a search that a payment has paid for waits for; null if it can be ordered. The request to order is filed within
-- 15 minutes, unless something is wrong.
create or replace function order_waits_for(payment payments) returns text language sql stable as $$
  select case
    when awaits_payer_check(payment) then 'payer_check'
    when payment.paid_at is not null and payment.cleared_at is null and payment.status <> 'refunded'
      and firm_data_value('payment_rules') ->> 'order_searches' = 'cleared' then 'clearing'
    when payment.order_words is not null and payment.paid_at > now() - interval '15 minutes'
      and not exists (select from documents where reference = 'desk-' || payment.id) then 'filing'
  end
$$;
