-- Reports that a client signed a document.
create or replace function record_signed_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('document.signed', new.signed_at, new.client_id, new.document_id);
  return null;
end $$;
