-- Reading a document that the client was asked to read completes a task, and changes whom the case waits for.
create or replace function broadcast_task_read() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || tasks.case_id, 'TaskUpdated', array[tasks.id::text])
    from tasks where tasks.document_id = new.document_id and tasks.kind = 'read_document' and tasks.status = 'open';
  return null;
end $$;
