-- The payout with the money of a payment, as clients see it; null until it is on its way, and if the bank returned it. The money is in
-- the account once the payout is on the bank statement and complete.
create or replace function payout_of(payment payments) returns json language sql stable as $$
  select json_build_object(
    'paid_out_on', (payout.created_at at time zone 'Europe/London')::date,
    'expected_on', payout.arrives_on,
    'in_account_since', case when payout.matched_on is not null
        and (payout.precedes_matching or payout.transferred_on is not null or payout.to_transfer <= 0)
      then greatest(payout.matched_on, case when payout.to_transfer > 0 then payout.transferred_on end) end)
  from balance_transactions charge
  join payouts payout on payout.provider = charge.provider and payout.payout_id = charge.payout_id
  where payment.paid_at is not null and charge.provider = payment.provider
    and charge.intent_id = payment.provider_intent_id and charge.kind = 'charge'
    -- Nothing is recorded of payouts from before matches were.
    and (payout.matched_on is not null or payout.status in ('in_transit', 'paid') and not payout.precedes_matching)
  order by payout.created_at desc limit 1
$$;
