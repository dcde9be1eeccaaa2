-- Whether a client of its case can see a document; without a client, whether all of them can.
create or replace function is_shown_to(document documents, client uuid) returns boolean language sql stable as $$
  select document.withdrawn_at is null and not is_hidden_from(document, client)
$$;
