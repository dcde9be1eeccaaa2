-- Receipts of a bill that is paid in parts say what was left, also after later parts.
alter table payments add column bill_left integer check (bill_left >= 0);
comment on column payments.bill_left is 'Pence of its bill that were left after it was paid; null for other money, and before it is paid.';
