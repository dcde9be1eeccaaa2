-- Events of a kind on a channel become one for a transaction.
create or replace function broadcast_all(events new_event[]) returns void language plpgsql as $$
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
