-- Records an event about a document for webhooks.
create or replace function record_document_event(
  event_type text, happened_at timestamptz, on_document uuid, by_client uuid
) returns void language sql as $$
  select record_webhook_event(event_type, on_document || ' ' || by_client, happened_at, matters.case_id,
    jsonb_build_object(
      'case', conveyancing_cases.reference,
      'matter', matters.reference,
      'client', (select reference from clients where id = by_client),
      'document', documents.reference
    ), '/documents/' || documents.id)
  from documents
  join matters on matters.id = documents.matter_id
  join conveyancing_cases on conveyancing_cases.id = matters.case_id
  where documents.id = on_document
$$;
