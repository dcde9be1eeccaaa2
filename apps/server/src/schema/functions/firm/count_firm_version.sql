-- Counts the changes of the firm's details.
create or replace function count_firm_version() returns trigger language plpgsql as $$
begin
  new.firm_version := old.firm_version + 1;
  return new;
end $$;
