-- The firm as clients get it, closed on bank holidays too. Every read of a case has it, so it is stored when the firm or
-- the bank holidays change, instead of derived for each read.
alter table installation add column shown_firm jsonb;

create function derive_shown_firm() returns trigger language plpgsql as $$
begin
  new.shown_firm := firm_with_bank_holidays(new.firm);
  return new;
end $$;
create trigger installation_shown_firm before insert or update on installation
  for each row execute function derive_shown_firm();

create function derive_shown_firm_again() returns trigger language plpgsql as $$
begin
  -- The trigger above derives it.
  update installation set shown_firm = null;
  return null;
end $$;
create trigger firm_data_shown_firm after insert on firm_data
  for each row when (new.kind = 'bank_holidays') execute function derive_shown_firm_again();

update installation set shown_firm = null;
