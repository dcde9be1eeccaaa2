-- The firm as clients get it: closed on its own days and on bank holidays.
create or replace function firm_with_bank_holidays(firm jsonb) returns jsonb language sql stable as $$
  select firm || jsonb_build_object('closed_on', (
    select coalesce(jsonb_agg(day order by day), '[]'::jsonb) from (
      select jsonb_array_elements_text(firm -> 'closed_on') as day
      union select jsonb_array_elements_text(bank_holiday_days())
    ) closed))
$$;
