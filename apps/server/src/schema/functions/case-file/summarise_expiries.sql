create or replace function summarise_expiries(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with expiry as materialized (select * from expiries_of_cases(changed))
  update case_summaries known set expires_on = expiry.expires_on from expiry
  where known.case_id = expiry.case_id and known.expires_on <> expiry.expires_on;
end $$;
