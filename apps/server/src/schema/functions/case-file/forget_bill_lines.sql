-- Servers of 0.2 change the amounts of a bill without its lines, which are then out of date.
create or replace function forget_bill_lines() returns trigger language plpgsql as $$
begin
  if new.lines is not distinct from old.lines
    and (new.net, new.vat_rate, new.vat) is distinct from (old.net, old.vat_rate, old.vat)
  then
    new.lines := null;
  end if;
  return new;
end $$;
