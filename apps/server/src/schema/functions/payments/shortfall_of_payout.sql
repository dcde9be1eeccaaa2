-- What is missing from a payout for the money in it to arrive in full, in pence; 0 or less if nothing is.
create or replace function shortfall_of_payout(payout payouts) returns integer language sql stable as $$
  select coalesce(sum(taken_from_payout(movement)), 0)::integer from balance_transactions movement
  where movement.provider = payout.provider and movement.payout_id = payout.payout_id
$$;
