-- Derives the firm as clients get it when bank holidays or the rules of payments change.
create or replace function derive_shown_firm_again() returns trigger language plpgsql as $$
begin
  -- The trigger above derives it.
  update installation set shown_firm = null;
  return null;
end $$;
