-- Bills have lines, and name the document with the bill itself. Bills without lines are one line of their net amount, rate and VAT.
alter table bills
  add column lines jsonb,
  add column document_id uuid references documents on delete set null;
comment on column bills.lines is
  'Description, net, VAT code, rate, VAT, and whether it is client or office money; null for one line of `net`, `vat_rate` and `vat`.';
comment on column bills.document_id is 'The document with the bill itself.';
create index bills_of_document on bills (document_id) where document_id is not null;
