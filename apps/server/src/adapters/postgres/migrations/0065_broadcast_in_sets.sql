-- A statement that changes many rows, such as one of an import, writes its events with one insert.

create type new_event as (channel text, event text, ids text[]);

-- Events of a kind on a channel become one for a transaction.
create function broadcast_all(events new_event[]) returns void language plpgsql as $$
begin
  if events is null then return; end if;
  insert into broadcast_events as known (channel, event, ids, except_socket)
  select sent.channel, sent.event, case when cardinality(sent.ids) > 50 then '{}' else sent.ids end,
    nullif(current_setting('keyturn.socket_id', true), '')
  from unnest(events) as sent
  on conflict (transaction_id, channel, event) do update set ids = (
    select case
      when cardinality(known.ids) = 0 or cardinality(excluded.ids) = 0 or count(distinct id) > 50 then '{}'
      else array_agg(distinct id) end
    from unnest(known.ids || excluded.ids) as id
  );
  -- PostgreSQL sends equal notifications of a transaction once, and none before the commit.
  perform pg_notify('keyturn_broadcast', pg_current_xact_id()::text);
end $$;

create or replace function broadcast(to_channel text, event_name text, changed text[]) returns void language plpgsql as $$
begin
  perform broadcast_all(array[row(to_channel, event_name, changed)::new_event]);
end $$;

-- Broadcasts changed rows, each on the channel of its case. Its plan is kept, and one made for empty tables would read the
-- whole of full ones.
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
  -- Whole rows as JSON would cost more than to insert them.
  elsif tg_table_name = 'conveyancing_cases' then
    select array_agg(jsonb_build_object('id', n.id)) into changed from rows_after n;
  elsif tg_table_name = 'milestones' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id, 'status', n.status)) into changed
      from rows_after n;
  elsif tg_table_name in ('documents', 'case_searches') then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id)) into changed from rows_after n;
  else
    select array_agg(jsonb_build_object('id', n.id, 'case_id', n.case_id)) into changed from rows_after n;
  end if;
  if changed is not null then perform broadcast_to_cases(tg_argv[0], changed); end if;
  return null;
end $$;

-- Who may see a case: its clients are notified, and every server closes the channels that are no longer theirs.
create or replace function broadcast_case_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform broadcast_all((
      select array_agg(row('private-client.' || client_id, 'CaseUpdated', ids)::new_event)
      from (select client_id, array_agg(case_id::text) as ids from rows_after group by client_id) of_client));
  else
    perform broadcast_all((
      select array_agg(row('private-client.' || client_id, 'CaseUpdated', ids)::new_event)
      from (select client_id, array_agg(case_id::text) as ids from rows_before group by client_id) of_client));
    perform broadcast_all((
      select array[row('#access', 'ended', array_agg(distinct client_id::text))::new_event]
      from rows_before having count(*) > 0));
  end if;
  return null;
end $$;
drop trigger case_clients_broadcast on case_clients;
create trigger case_clients_broadcast_insert after insert on case_clients
  referencing new table as rows_after for each statement execute function broadcast_case_clients();
create trigger case_clients_broadcast_delete after delete on case_clients
  referencing old table as rows_before for each statement execute function broadcast_case_clients();

-- A rollback to a savepoint takes the setting back together with the events.
create or replace function note_last_event() returns trigger language plpgsql as $$
declare
  last bigint := (select max(id) from rows_after);
begin
  if last is not null then perform set_config('keyturn.last_event', last::text, true); end if;
  return null;
end $$;
drop trigger broadcast_events_note on broadcast_events;
create trigger broadcast_events_note after insert on broadcast_events
  referencing new table as rows_after for each statement execute function note_last_event();
