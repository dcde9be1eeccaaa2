-- Whether an endpoint is subscribed to a type of event.
create or replace function wants_webhook_event(endpoint webhook_endpoints, event_type text) returns boolean
  language sql immutable as $$
  select endpoint.state = 'enabled' and (endpoint.event_types is null or event_type = any(endpoint.event_types))
$$;
