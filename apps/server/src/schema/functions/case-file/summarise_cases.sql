-- Derives the rows of these cases again.
create or replace function summarise_cases(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  insert into case_summaries as known (case_id, reference, status, handlers, matter_types, steps, actors, promised_on,
      last_update_at, expires_on, words)
  select c.id, c.reference, c.status,
    array(select distinct lower(handler ->> 'email') from jsonb_array_elements(c.handlers) as handler
      where handler ->> 'email' <> ''),
    array(select distinct matter_type from matters where matters.case_id = c.id),
    under_way.steps, under_way.actors, under_way.promised_on, history.last_update_at, expiry.expires_on, found.words
  from conveyancing_cases c
  join words_of_cases(changed) found on found.case_id = c.id
  join steps_of_cases(changed) under_way on under_way.case_id = c.id
  join expiries_of_cases(changed) expiry on expiry.case_id = c.id
  join last_updates_of_cases(changed) history on history.case_id = c.id
  where c.id = any(changed)
  on conflict (case_id) do update set
    reference = excluded.reference, status = excluded.status, handlers = excluded.handlers,
    matter_types = excluded.matter_types, steps = excluded.steps, actors = excluded.actors,
    promised_on = excluded.promised_on, last_update_at = excluded.last_update_at, expires_on = excluded.expires_on,
    words = excluded.words
  where known is distinct from excluded;
  insert into case_filter_values as known (kind, value, label)
  select distinct on (value) 'handler', lower(handler ->> 'email') as value, handler ->> 'name' as label
  from conveyancing_cases c cross join jsonb_array_elements(c.handlers) as handler
  where c.id = any(changed) and handler ->> 'email' <> ''
  order by value, label
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
  perform list_steps_of_cases(changed);
end $$;
