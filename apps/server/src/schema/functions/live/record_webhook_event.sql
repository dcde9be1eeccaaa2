-- Records an event for every endpoint that wants it. `fact` identifies what happened among all events of the type.
create or replace function record_webhook_event(
  event_type text, fact text, happened_at timestamptz, case_or_client uuid, event_references jsonb, link_path text
) returns void language plpgsql as $$
declare
  new_id constant text := 'evt_' || md5(event_type || ' ' || fact);
  new_position bigint;
begin
  if not exists (select from webhook_endpoints endpoint where wants_webhook_event(endpoint, event_type)) then
    return;
  end if;
  insert into webhook_events (id, type, occurred_at, ordering_key, data, path)
    values (new_id, event_type, happened_at, case_or_client, jsonb_strip_nulls(event_references), link_path)
    on conflict (id) do nothing returning position into new_position;
  if new_position is null then return; end if;
  insert into webhook_deliveries (endpoint_id, event_id, position, ordering_key)
    select endpoint.id, new_id, new_position, case_or_client
    from webhook_endpoints endpoint where wants_webhook_event(endpoint, event_type);
  perform pg_notify('keyturn_webhooks', '');
end $$;
