-- When the case feed last changed a milestone's `waiting_for` or `waiting_since`: these words yield to what clients have
-- done since.
alter table milestones add column waiting_set_at timestamptz;
update milestones set waiting_set_at = updated_at where waiting_for is not null;

-- Reading a document that the client was asked to read completes a task, and changes whom the case waits for.
create function broadcast_task_read() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || tasks.case_id, 'TaskUpdated', array[tasks.id::text])
    from tasks where tasks.document_id = new.document_id and tasks.kind = 'read_document' and tasks.status = 'open';
  return null;
end $$;
create trigger document_reads_broadcast after insert on document_reads
  for each row execute function broadcast_task_read();
