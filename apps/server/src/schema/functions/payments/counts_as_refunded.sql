-- Whether a refund with this status counts towards the refunded total.
create or replace function counts_as_refunded(status text) returns boolean language sql immutable as $$
  select status in ('pending', 'requires_action', 'succeeded')
$$;
