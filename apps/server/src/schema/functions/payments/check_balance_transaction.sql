-- A stored movement of money does not change; only its payout becomes known later.
create or replace function check_balance_transaction() returns trigger language plpgsql as $$
begin
  if (old.provider, old.transaction_id, old.kind, old.amount, old.fee, old.currency, old.created_at)
    is distinct from (new.provider, new.transaction_id, new.kind, new.amount, new.fee, new.currency, new.created_at)
    or old.intent_id is distinct from new.intent_id
    or (old.refund_id is not null and new.refund_id is distinct from old.refund_id)
    or (old.payout_id is not null and new.payout_id is distinct from old.payout_id)
  then
    raise exception 'a balance transaction does not change'
      using errcode = 'check_violation', constraint = 'balance_transactions_facts';
  end if;
  return new;
end $$;
