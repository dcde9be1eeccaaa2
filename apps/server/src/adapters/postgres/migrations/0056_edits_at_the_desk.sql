-- Staff edit records of the case feed at the desk. An edit keeps the hash of what the feed sent, so that sending the same
-- again leaves it alone, and the desk shows when the feed last sent a record with a change.
alter table clients add column feed_sent_at timestamptz(3);
alter table conveyancing_cases add column feed_sent_at timestamptz(3);
alter table matters add column feed_sent_at timestamptz(3);
alter table documents add column feed_sent_at timestamptz(3);
alter table case_searches add column feed_sent_at timestamptz(3);
alter table tasks add column feed_sent_at timestamptz(3);
alter table bills add column feed_sent_at timestamptz(3);
alter table history_entries add column feed_sent_at timestamptz(3);

-- When a feed sent a record is no change that clients see.
create or replace function broadcast_changed_rows() returns trigger language plpgsql as $$
declare
  ignored constant text[] :=
    array['updated_at', 'feed_hash', 'feed_sent_at'] || string_to_array(coalesce(tg_argv[1], ''), ',');
  changed jsonb[];
begin
  if tg_op = 'INSERT' then
    select array_agg(to_jsonb(n)) into changed from rows_after n;
  elsif tg_op = 'DELETE' then
    select array_agg(to_jsonb(o) || '{"status": "gone"}') into changed from rows_before o;
  else
    select array_agg(to_jsonb(n)) into changed from rows_after n join rows_before o on o.id = n.id
      where to_jsonb(n) - ignored is distinct from to_jsonb(o) - ignored;
  end if;
  if changed is not null then perform broadcast_to_cases(tg_argv[0], changed); end if;
  return null;
end $$;

-- Whatever a feed or staff complete, no client did. An edit at the desk does not change the hash.
create or replace function record_task_event() returns trigger language plpgsql as $$
begin
  if current_setting('keyturn.import', true) = 'on' then return null; end if;
  perform record_webhook_event('task.completed', new.id || ' ' || new.updated_at, new.updated_at, new.case_id,
    jsonb_build_object(
      'case', (select reference from conveyancing_cases where id = new.case_id),
      'matter', (select reference from matters where id = new.matter_id),
      'task', new.reference,
      'search', (select reference from case_searches where id = new.case_search_id),
      'document', (select reference from documents where id = new.document_id)
    ), '/');
  return null;
end $$;
