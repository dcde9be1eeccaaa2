-- Whether a client has signed or paid in a case that exists, also on paper, or a document of one is for them alone.
create or replace function is_client_referenced(client uuid) returns boolean language sql stable as $$
  select exists (select from document_signatures where client_id = client)
    or exists (select from documents
      where for_client_id = client or originals @> jsonb_build_array(jsonb_build_object('client_id', client)))
    or exists (select from payments where client in (client_id, confirmed_by, last_payer_id, cancel_requested_by))
    or exists (select from payment_changes where client in (confirmed_by, cancelled_by))
    or exists (select from payment_mails where client_id = client)
$$;
