-- The payout with the money of a payment, as clients see it; null until it is on its way, and if the bank returned it. The money is in
-- the account once the payout is on the bank statement and what others took from it was added.
create or replace function payout_of(payment payments) returns json language sql stable as $$
  select json_build_object(
    'paid_out_on', (payout.created_at at time zone 'Europe/London')::date,
    'expected_on', payout.arrives_on,
    'in_account_since', case when payout.matched_on is not null
        and (payout.transferred_on is not null or shortfall_of_payout(payout) <= 0)
      then greatest(payout.matched_on, payout.transferred_on) end)
  from balance_transactions charge
  join payouts payout on payout.provider = charge.provider and payout.payout_id = charge.payout_id
  where payment.paid_at is not null and charge.provider = payment.provider
    and charge.intent_id = payment.provider_intent_id and charge.kind = 'charge'
    and (payout.status in ('in_transit', 'paid') or payout.matched_on is not null)
  order by payout.created_at desc limit 1
$$;
