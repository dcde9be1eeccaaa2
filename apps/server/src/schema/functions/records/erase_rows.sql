-- Deletes the rows of a table that a condition finds, and counts them. $1 in the condition is `ids`.
create or replace function erase_rows(of_erasure bigint, from_table text, condition text, ids uuid[])
  returns void language plpgsql as $$
declare
  deleted bigint;
begin
  execute format('delete from %s where %s', from_table, condition) using ids;
  get diagnostics deleted = row_count;
  if deleted = 0 then return; end if;
  insert into erased_rows (erasure_id, table_name, row_count) values (of_erasure, from_table, deleted)
    on conflict do nothing;
end $$;
