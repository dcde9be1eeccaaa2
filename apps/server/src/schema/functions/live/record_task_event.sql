-- A task that the feed or staff complete is no act of a client. An edit at the desk does not change the hash.
create or replace function record_task_event() returns trigger language plpgsql as $$
begin
  if current_setting('keyturn.import', true) = 'on' then return null; end if;
  perform record_webhook_event('task.completed', new.id || ' ' || new.updated_at, new.updated_at, new.case_id,
    jsonb_build_object(
      'case', (select reference from conveyancing_cases where id = new.case_id),
      'matter', (select reference from matters where id = new.matter_id),
      'task', new.reference,
      'search', (select reference from case_searches where id = new.case_search_id),
      'document', (select reference from documents where id = new.document_id)
    ), '/');
  return null;
end $$;
