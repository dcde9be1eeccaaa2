-- Shows clients when the payout with their money changes.
create or replace function broadcast_payout() returns trigger language plpgsql as $$
declare
  changed jsonb[];
begin
  if (new.status, new.arrives_on, new.itemised_at, new.matched_on, new.transferred_on)
    is not distinct from (old.status, old.arrives_on, old.itemised_at, old.matched_on, old.transferred_on)
  then return null; end if;
  select array_agg(jsonb_build_object('id', payments.id, 'case_id', payments.case_id)) into changed
  from balance_transactions charge
  join payments on payments.provider = charge.provider and payments.provider_intent_id = charge.intent_id
  where charge.provider = new.provider and charge.payout_id = new.payout_id and charge.kind = 'charge';
  if changed is not null then perform broadcast_to_cases('PaymentUpdated', changed); end if;
  return null;
end $$;
