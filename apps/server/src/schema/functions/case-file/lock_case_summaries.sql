-- The functions that derive summaries lock them in one order, and before they read the records: a transaction
-- that changes the same case waits, and then sees both changes. Their plans are kept, and those made for
-- empty tables would read the whole of full ones.
create or replace function lock_case_summaries(changed uuid[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  perform from case_summaries where case_id = any(changed) order by case_id for update;
end $$;
