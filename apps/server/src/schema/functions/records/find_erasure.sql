-- Returns the erasure of this transaction; null if it is none.
create or replace function find_erasure(erasure bigint, of_kind text) returns uuid language plpgsql as $$
declare
  subject uuid;
begin
  select subject_id into subject from erasures
    where id = erasure and subject_kind = of_kind
      and transaction_id = pg_current_xact_id_if_assigned() and opened_at = transaction_timestamp();
  if not found then raise exception 'no erasure % of this transaction', erasure; end if;
  return subject;
end $$;
