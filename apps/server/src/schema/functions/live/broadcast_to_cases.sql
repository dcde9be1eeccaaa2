-- Broadcasts changed rows, each on the channel of its case. A document for one client, and tasks about it, are broadcast to
-- that client and the desk only. Its plan is kept, and one made for empty tables would read the whole of full ones.
create or replace function broadcast_to_cases(event_name text, changed jsonb[]) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  perform broadcast_all((
    select array_agg(row(sent.channel, sent.event,
      case when sent.event = 'CaseUpdated' then '{}' else sent.ids end)::new_event)
    from (
      select announced.channel, announced.event, array_agg(distinct announced.id) as ids
      from unnest(changed) as row_now
      left join matters on matters.id = (row_now ->> 'matter_id')::uuid
      left join documents on event_name = 'TaskUpdated' and documents.id = (row_now ->> 'document_id')::uuid
      cross join lateral (
        select
          coalesce(row_now ->> 'case_id', matters.case_id::text, row_now ->> 'id') as case_id,
          coalesce(row_now ->> 'for_client_id', documents.for_client_id::text) as for_client_id,
          -- A step that is not done yet has a new plan, which changes the case.
          case when event_name = 'MilestoneReached' and row_now ->> 'status' <> 'done' then 'CaseUpdated'
            else event_name end as event
      ) as about
      cross join lateral (values
        (coalesce('private-client.' || about.for_client_id, 'private-case.' || about.case_id), about.event,
          row_now ->> 'id'),
        (case when about.for_client_id is not null then 'private-desk' end, 'DeskUpdated', about.case_id)
      ) as announced (channel, event, id)
      where announced.channel is not null
      group by announced.channel, announced.event) as sent));
end $$;
