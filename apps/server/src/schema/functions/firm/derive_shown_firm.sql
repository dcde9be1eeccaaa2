-- Stores the firm as clients get it, with its rules for payments.
create or replace function derive_shown_firm() returns trigger language plpgsql as $$
declare
  rules constant jsonb := firm_data_value('payment_rules');
begin
  new.shown_firm := firm_with_bank_holidays(new.firm) || jsonb_build_object(
    'order_searches', rules -> 'order_searches',
    'payment_rules', jsonb_build_object('unasked', rules -> 'unasked', 'not_before', rules -> 'not_before'));
  return new;
end $$;
