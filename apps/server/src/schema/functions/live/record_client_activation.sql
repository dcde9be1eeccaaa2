-- A client chose their first password. The verb that sets it calls this; an import that sets one does not.
create or replace function record_client_activation(client uuid, activated_at timestamptz) returns void
  language sql as $$
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.activated', activated_at, client, client);
$$;
