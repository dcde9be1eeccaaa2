-- The current value of what the firm edits.
create or replace function firm_data_value(kind text) returns jsonb language sql stable as $$
  select data.value from firm_data data where data.kind = $1 order by data.version desc limit 1
$$;
