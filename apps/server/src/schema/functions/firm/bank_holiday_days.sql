-- The days on which banks are closed, besides weekends.
create or replace function bank_holiday_days() returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(holiday ->> 'day'), '[]'::jsonb)
  from jsonb_array_elements(firm_data_value('bank_holidays')) holiday
$$;
