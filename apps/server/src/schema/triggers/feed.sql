create trigger feed_keys_kept before delete or truncate on feed_keys
  for each statement execute function refuse_change();

create trigger feed_files_replaced_file after update of sha256 on feed_files
  for each row when (old.sha256 <> new.sha256) execute function note_unused_file();

create trigger feed_files_unused_file after delete on feed_files
  for each row execute function note_unused_file();
