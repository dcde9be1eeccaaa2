-- Whether this transaction is an erasure.
create or replace function is_erasing() returns boolean language sql stable as $$
  select exists (
    select from erasures
    where transaction_id = pg_current_xact_id_if_assigned() and opened_at = transaction_timestamp())
$$;
