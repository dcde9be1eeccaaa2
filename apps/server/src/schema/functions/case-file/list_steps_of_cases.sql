-- Adds the steps under way in these cases to the choices of the filters.
create or replace function list_steps_of_cases(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  insert into case_filter_values as known (kind, value, label)
  select distinct on (step.key) 'step', step.key, step.title
  from matters m join milestones step on step.matter_id = m.id
  where m.case_id = any(changed) and step.status in ('current', 'blocked')
  order by step.key, step.title
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
end $$;
