-- What a movement takes from the other money in its payout, in pence: fees, chargebacks, reserves, and refunds of money that is not
-- in the same payout. Negative for what it returns.
create or replace function taken_from_payout(movement balance_transactions) returns integer language sql stable as $$
  select case
    when movement.payout_id is null or movement.kind in ('payout', 'payout_failure') then 0
    when movement.kind = 'charge' then movement.fee
    when movement.kind in ('refund', 'refund_failure') and exists (
      select from balance_transactions charge
      where charge.provider = movement.provider and charge.payout_id = movement.payout_id
        and charge.intent_id = movement.intent_id and charge.kind = 'charge') then movement.fee
    else movement.fee - movement.amount
  end
$$;
