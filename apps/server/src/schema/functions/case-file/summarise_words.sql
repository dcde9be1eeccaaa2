create or replace function summarise_words(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with found as materialized (select * from words_of_cases(changed))
  update case_summaries known set words = found.words from found
  where known.case_id = found.case_id and known.words <> found.words;
end $$;
