-- A payout that fails is no longer in the bank account, even if it was on the statement.
create or replace function withdraw_match() returns trigger language plpgsql as $$
begin
  if new.status in ('failed', 'cancelled') and old.status not in ('failed', 'cancelled') then
    new.matched_on := null;
    new.matched_by := null;
    new.matched_by_staff := null;
  end if;
  return new;
end $$;
