-- Broadcasts changed rows, each on the channel of its case. Its plan is kept, and one made for empty tables
-- would read the whole of full ones.
create or replace function broadcast_to_cases(event_name text, changed jsonb[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  perform broadcast_all((
    select array_agg(row('private-case.' || of_case.case_id, of_case.event,
      case when of_case.event = 'CaseUpdated' then '{}' else of_case.ids end)::new_event)
    from (
      select about.case_id, about.event, array_agg(row_now ->> 'id') as ids
      from unnest(changed) as row_now
      left join matters on matters.id = (row_now ->> 'matter_id')::uuid
      cross join lateral (
        select
          coalesce(row_now ->> 'case_id', matters.case_id::text, row_now ->> 'id') as case_id,
          -- A step that is not done yet has a new plan, which changes the case.
          case when event_name = 'MilestoneReached' and row_now ->> 'status' <> 'done' then 'CaseUpdated'
            else event_name end as event
      ) as about
      group by about.case_id, about.event) of_case));
end $$;
