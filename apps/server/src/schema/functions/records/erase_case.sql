-- Erases a case with its documents, signatures, payments and history.
create or replace function erase_case(erasure bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  target constant uuid := find_erasure(erasure, 'case');
  own_matters uuid[];
  own_documents uuid[];
  own_payments uuid[];
  own_records uuid[];
begin
  -- Whatever adds a record to them meanwhile waits, and then finds that they are gone.
  perform from conveyancing_cases where id = target for update;
  perform from matters where case_id = target for update;
  own_matters := array(select id from matters where case_id = target);
  perform from documents where matter_id = any(own_matters) for update;
  own_documents := array(select id from documents where matter_id = any(own_matters));
  perform from document_signatures where document_id = any(own_documents) for update;
  perform from payments where case_id = target for update;
  own_payments := array(select id from payments where case_id = target);
  own_records := array[target] || own_matters || own_documents || own_payments
    || array(select id from case_searches where matter_id = any(own_matters))
    || array(select id from tasks where case_id = target) || array(select id from bills where case_id = target);
  insert into erased_files (erasure_id, sha256)
    select erasure, sha256 from documents where id = any(own_documents)
    union select erasure, signed_files.sha256 from signed_files
      join document_signatures signature on signature.id = signature_id where document_id = any(own_documents)
    union select erasure, sha256 from receipt_files where payment_id = any(own_payments)
    union select erasure, feed_files.sha256 from feed_files
      join documents using (reference) where documents.id = any(own_documents);
  insert into erased_signatures (document_id, erasure_id, signatures, last_mac)
    select distinct on (document_id) document_id, erasure, position, mac from document_signatures
    where document_id = any(own_documents) order by document_id, position desc;
  perform erase_payments(erasure, own_payments);
  perform erase_rows(erasure, 'signed_files', 'signature_id in (
    select id from document_signatures where document_id = any($1))', own_documents);
  perform erase_rows(erasure, 'document_signatures', 'document_id = any($1)', own_documents);
  perform erase_rows(erasure, 'feed_files', 'reference in (
    select reference from documents where id = any($1))', own_documents);
  perform erase_rows(erasure, 'desk_items', 'subject_id = any($1)', own_records);
  perform erase_jobs(erasure, own_records);
  perform erase_rows(erasure, 'webhook_events', 'ordering_key = any($1)', array[target]);
  perform erase_rows(erasure, 'spreadsheet_cases', 'reference in (
    select reference from conveyancing_cases where id = any($1))', array[target]);
  perform erase_rows(erasure, 'payment_links', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'tasks', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'bills', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'history_entries', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'case_searches', 'matter_id = any($1)', own_matters);
  perform erase_rows(erasure, 'milestones', 'matter_id = any($1)', own_matters);
  perform erase_rows(erasure, 'documents', 'matter_id = any($1)', own_matters);
  perform erase_rows(erasure, 'matters', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'case_clients', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'conveyancing_cases', 'id = any($1)', array[target]);
  update legal_holds set reason = '' where subject_kind = 'case' and subject_id = target;
  delete from payment_check_reports;
  -- Erased clients who had signed or paid in this case only.
  delete from clients where erased_at is not null and not is_client_referenced(id);
end $$;
