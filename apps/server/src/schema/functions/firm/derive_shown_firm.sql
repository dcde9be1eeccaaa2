-- Stores the firm as clients get it, with its rule for ordering searches.
create or replace function derive_shown_firm() returns trigger language plpgsql as $$
begin
  new.shown_firm := firm_with_bank_holidays(new.firm)
    || jsonb_build_object('order_searches', firm_data_value('payment_rules') -> 'order_searches');
  return new;
end $$;
