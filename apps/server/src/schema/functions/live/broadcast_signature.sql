-- A signature changes the document for every client on the case.
create or replace function broadcast_signature() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || matters.case_id, 'DocumentShared', array[documents.id::text])
    from documents join matters on matters.id = documents.matter_id where documents.id = new.document_id;
  return null;
end $$;
