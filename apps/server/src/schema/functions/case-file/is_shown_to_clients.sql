-- Whether the clients of its case can see a document.
create or replace function is_shown_to_clients(document documents) returns boolean language sql stable as $$
  select document.withdrawn_at is null and not awaits_check(document)
$$;
