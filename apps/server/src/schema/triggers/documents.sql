create trigger documents_broadcast_insert after insert on documents
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('DocumentShared', '');

create trigger documents_broadcast_update after update on documents
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('DocumentShared', '');

create trigger documents_release_files after delete on documents
  for each row execute function release_unused_files();

create trigger documents_unused_file after update of sha256 on documents
  for each row when (old.sha256 <> new.sha256) execute function note_unused_file();

create trigger document_reads_broadcast after insert on document_reads
  for each row execute function broadcast_task_read();

create trigger document_reads_client_change after insert on document_reads
  for each row execute function record_read_change();

create trigger document_signatures_append_only before update or delete or truncate on document_signatures
  for each statement execute function refuse_change();

create trigger document_signatures_broadcast after insert on document_signatures
  for each row execute function broadcast_signature();

create trigger document_signatures_client_change after insert on document_signatures
  for each row execute function record_signed_change();

create trigger signed_files_append_only before update or delete or truncate on signed_files
  for each statement execute function refuse_change();
