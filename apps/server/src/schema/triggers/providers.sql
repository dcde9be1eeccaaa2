create trigger balance_transactions_facts before update on balance_transactions
  for each row execute function check_balance_transaction();

create trigger balance_transactions_kept before delete or truncate on balance_transactions
  for each statement execute function refuse_change();

create trigger payouts_broadcast after update on payouts
  for each row execute function broadcast_payout();

create trigger payouts_withdraw_match before update on payouts
  for each row execute function withdraw_match();
