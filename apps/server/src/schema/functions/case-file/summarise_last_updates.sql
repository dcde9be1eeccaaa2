create or replace function summarise_last_updates(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with history as materialized (select * from last_updates_of_cases(changed))
  update case_summaries known set last_update_at = history.last_update_at from history
  where known.case_id = history.case_id and known.last_update_at <> history.last_update_at;
end $$;
