-- Whether a client of its case must not know of a document: the firm has not checked it yet, or it is for another client.
-- Without a client: whether it is hidden from any of them.
create or replace function is_hidden_from(document documents, client uuid) returns boolean language sql stable as $$
  select awaits_check(document) or (document.for_client_id is not null and document.for_client_id is distinct from client)
$$;
