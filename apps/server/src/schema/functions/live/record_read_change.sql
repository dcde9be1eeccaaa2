-- Reports that a client read a document.
create or replace function record_read_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('document.read', new.read_at, new.client_id, new.document_id);
  return null;
end $$;
