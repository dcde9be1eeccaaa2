-- Stores the firm as clients get it.
create or replace function derive_shown_firm() returns trigger language plpgsql as $$
begin
  new.shown_firm := firm_with_bank_holidays(new.firm);
  return new;
end $$;
