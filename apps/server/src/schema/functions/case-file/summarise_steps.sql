create or replace function summarise_steps(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with under_way as materialized (select * from steps_of_cases(changed))
  update case_summaries known
  set steps = under_way.steps, actors = under_way.actors, promised_on = under_way.promised_on from under_way
  where known.case_id = under_way.case_id and (known.steps, known.actors, known.promised_on)
    is distinct from (under_way.steps, under_way.actors, under_way.promised_on);
  perform list_steps_of_cases(changed);
end $$;
