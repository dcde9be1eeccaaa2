-- A client completed a task. The verbs for what clients do call this; those of the feed and of staff do not.
create or replace function record_task_completion(task tasks) returns void language plpgsql as $$
begin
  perform record_webhook_event('task.completed', task.id || ' ' || task.updated_at, task.updated_at, task.case_id,
    jsonb_build_object(
      'case', (select reference from conveyancing_cases where id = task.case_id),
      'matter', (select reference from matters where id = task.matter_id),
      'task', task.reference,
      'search', (select reference from case_searches where id = task.case_search_id),
      'document', (select reference from documents where id = task.document_id)
    ), '/');
end $$;
