-- What has changed, for who looks at it: written by the transaction of the change itself, whoever makes it, and told
-- to every server when it commits. An event names what to read again; it holds nothing of it.

create table broadcast_events (
  id bigint generated always as identity primary key,
  -- All events of a transaction become visible, and are told of, together.
  transaction_id xid8 not null default pg_current_xact_id(),
  channel text not null,
  event text not null,
  -- What changed. Empty: all that the channel is about, or more than is worth naming.
  ids text[] not null,
  -- The connection whose own request made the change: it has the answer.
  except_socket text,
  created_at timestamptz not null default now(),
  -- Taken by the one server that passes it on to an outside broadcaster, where there is one.
  sent_at timestamptz,
  unique (transaction_id, channel, event)
);
create index broadcast_events_age on broadcast_events (created_at);
create index broadcast_events_unsent on broadcast_events (id) where sent_at is null;

-- Events of a kind on a channel become one for a transaction.
create function broadcast(to_channel text, event_name text, changed text[]) returns void language plpgsql as $$
begin
  insert into broadcast_events as known (channel, event, ids, except_socket)
  values (to_channel, event_name, case when cardinality(changed) > 50 then '{}' else changed end,
    nullif(current_setting('keyturn.socket_id', true), ''))
  on conflict (transaction_id, channel, event) do update set ids = (
    select case
      when cardinality(known.ids) = 0 or cardinality(excluded.ids) = 0 or count(distinct id) > 50 then '{}'
      else array_agg(distinct id) end
    from unnest(known.ids || excluded.ids) as id
  );
  -- PostgreSQL tells equal ones of a transaction once, and none before the commit.
  perform pg_notify('keyturn_broadcast', pg_current_xact_id()::text);
end $$;

-- Tells of changed rows, each on the channel of its case.
create function broadcast_to_cases(event_name text, changed jsonb[]) returns void language plpgsql as $$
declare
  told record;
begin
  for told in
    select about.case_id, about.event, array_agg(row_now ->> 'id') as ids
    from unnest(changed) as row_now
    left join matters on matters.id = (row_now ->> 'matter_id')::uuid
    cross join lateral (
      select
        coalesce(row_now ->> 'case_id', matters.case_id::text, row_now ->> 'id') as case_id,
        -- A step that is not done yet was planned anew: that is news of the case.
        case when event_name = 'MilestoneReached' and row_now ->> 'status' <> 'done' then 'CaseUpdated'
          else event_name end as event
    ) as about
    group by about.case_id, about.event
  loop
    perform broadcast('private-case.' || told.case_id, told.event,
      case when told.event = 'CaseUpdated' then '{}' else told.ids end);
  end loop;
end $$;

-- The event is argument 1; a change of the columns in argument 2 alone is nobody's business.
create function broadcast_changed_rows() returns trigger language plpgsql as $$
declare
  ignored constant text[] := array['updated_at', 'feed_hash'] || string_to_array(coalesce(tg_argv[1], ''), ',');
  changed jsonb[];
begin
  if tg_op = 'INSERT' then
    select array_agg(to_jsonb(n)) into changed from rows_after n;
  elsif tg_op = 'DELETE' then
    -- What was reached is reached no more by that: nothing is told but that it changed.
    select array_agg(to_jsonb(o) || '{"status": "gone"}') into changed from rows_before o;
  else
    select array_agg(to_jsonb(n)) into changed from rows_after n join rows_before o on o.id = n.id
      where to_jsonb(n) - ignored is distinct from to_jsonb(o) - ignored;
  end if;
  if changed is not null then perform broadcast_to_cases(tg_argv[0], changed); end if;
  return null;
end $$;

do $$
declare
  told record;
begin
  for told in
    select * from (values
      ('conveyancing_cases', 'CaseUpdated', ''),
      ('matters', 'CaseUpdated', ''),
      ('case_searches', 'CaseSearchUpdated', ''),
      ('milestones', 'MilestoneReached', ''),
      ('documents', 'DocumentShared', ''),
      ('payments', 'PaymentUpdated',
        'next_check_at,provider_intent_id,provider_revision,last_cause,last_provider_event_id'),
      ('tasks', 'TaskUpdated', ''),
      ('history_entries', 'HistoryRecorded', '')
    ) as told (on_table, event, ignored)
  loop
    execute format('create trigger %1$s_broadcast_insert after insert on %1$s
      referencing new table as rows_after for each statement
      execute function broadcast_changed_rows(%2$L, %3$L)', told.on_table, told.event, told.ignored);
    execute format('create trigger %1$s_broadcast_update after update on %1$s
      referencing old table as rows_before new table as rows_after for each statement
      execute function broadcast_changed_rows(%2$L, %3$L)', told.on_table, told.event, told.ignored);
  end loop;
end $$;

-- Of what is told here the feed takes steps alone away.
create trigger milestones_broadcast_delete after delete on milestones
  referencing old table as rows_before for each statement
  execute function broadcast_changed_rows('MilestoneReached');

-- A signature changes the document for everybody on the case.
create function broadcast_signature() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || matters.case_id, 'DocumentShared', array[documents.id::text])
    from documents join matters on matters.id = documents.matter_id where documents.id = new.document_id;
  return null;
end $$;
create trigger document_signatures_broadcast after insert on document_signatures
  for each row execute function broadcast_signature();

-- Who may see a case: the client is told, and every server closes what they may no longer hear.
create function broadcast_case_clients() returns trigger language plpgsql as $$
declare
  one record;
begin
  if tg_op = 'DELETE' then one := old; else one := new; end if;
  perform broadcast('private-client.' || one.client_id, 'CaseUpdated', array[one.case_id::text]);
  if tg_op = 'DELETE' then perform broadcast('#access', 'ended', array[one.client_id::text]); end if;
  return null;
end $$;
create trigger case_clients_broadcast after insert or delete on case_clients
  for each row execute function broadcast_case_clients();

-- The client themself: name, email, and which case they look at, on whichever of their devices.
create function broadcast_client() returns trigger language plpgsql as $$
begin
  perform broadcast('private-client.' || new.id, 'CaseUpdated', '{}');
  return null;
end $$;
create trigger clients_broadcast after update on clients for each row
  when ((old.title, old.first_name, old.last_name, old.email, old.phone, old.active_case_id)
    is distinct from (new.title, new.first_name, new.last_name, new.email, new.phone, new.active_case_id))
  execute function broadcast_client();

create function broadcast_maintenance() returns trigger language plpgsql as $$
begin
  perform broadcast('status', 'MaintenanceChanged', '{}');
  return null;
end $$;
create trigger maintenance_broadcast after insert or update or delete on maintenance
  for each statement execute function broadcast_maintenance();

-- Sessions that end before their time: every server closes their connections. For servers alone.
create function broadcast_ended_session() returns trigger language plpgsql as $$
begin
  perform broadcast('#sessions', 'ended', array[encode(old.token_hash, 'hex')]);
  return null;
end $$;
create trigger sessions_broadcast_revoked after update of revoked_at on sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function broadcast_ended_session();
create trigger sessions_broadcast_deleted after delete on sessions for each row
  when (old.revoked_at is null and old.expires_at > now()) execute function broadcast_ended_session();

-- What servers say to each other and PostgreSQL's notifications are too short for: they name the row.
create table server_parcels (
  id bigint generated always as identity primary key,
  body text not null,
  created_at timestamptz not null default now()
);
