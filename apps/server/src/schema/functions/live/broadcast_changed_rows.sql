-- The event is argument 1. A change of only the columns in argument 2 is no change that clients see, and
-- neither is when a feed sent a record.
create or replace function broadcast_changed_rows() returns trigger language plpgsql as $$
declare
  ignored constant text[] :=
    array['updated_at', 'feed_hash', 'feed_sent_at'] || string_to_array(coalesce(tg_argv[1], ''), ',');
  changed jsonb[];
begin
  if tg_op = 'DELETE' then
    select array_agg(to_jsonb(o) || '{"status": "gone"}') into changed from rows_before o;
  elsif tg_op = 'UPDATE' then
    select array_agg(to_jsonb(n)) into changed from rows_after n join rows_before o on o.id = n.id
      where to_jsonb(n) - ignored is distinct from to_jsonb(o) - ignored;
    -- Those who can no longer see a document are notified too.
    if tg_table_name = 'documents' then
      select changed || array_agg(to_jsonb(o)) into changed from rows_after n join rows_before o on o.id = n.id
        where n.for_client_id is distinct from o.for_client_id;
    end if;
  -- Whole rows as JSON would cost more than to insert them.
  elsif tg_table_name = 'conveyancing_cases' then
    select array_agg(jsonb_build_object('id', n.id)) into changed from rows_after n;
  elsif tg_table_name = 'milestones' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id, 'status', n.status)) into changed
      from rows_after n;
  elsif tg_table_name = 'documents' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id, 'for_client_id', n.for_client_id))
      into changed from rows_after n;
  elsif tg_table_name = 'case_searches' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id)) into changed from rows_after n;
  elsif tg_table_name = 'tasks' then
    select array_agg(jsonb_build_object('id', n.id, 'case_id', n.case_id, 'document_id', n.document_id))
      into changed from rows_after n;
  else
    select array_agg(jsonb_build_object('id', n.id, 'case_id', n.case_id)) into changed from rows_after n;
  end if;
  if changed is not null then perform broadcast_to_cases(tg_argv[0], changed); end if;
  return null;
end $$;
