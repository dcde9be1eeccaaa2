-- Keeps a table append-only. The transaction of an erasure may delete the records of its case, and remove
-- names from the audit log.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name in (
    'payments', 'payment_changes', 'refunds', 'receipt_files', 'document_signatures', 'signed_files'
  ) and is_erasing() then
    return null;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' and is_erasing() then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
