-- Reading a document that the client was asked to read completes a task, and changes whom the case waits for.
create or replace function broadcast_task_read() returns trigger language plpgsql as $$
begin
  perform broadcast_to_cases('TaskUpdated', array_agg(to_jsonb(tasks)))
    from tasks where tasks.document_id = new.document_id and tasks.kind = 'read_document' and tasks.status = 'open'
    having count(*) > 0;
  return null;
end $$;
