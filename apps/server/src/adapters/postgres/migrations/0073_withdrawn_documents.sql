-- A document that was shared by mistake. Clients can no longer open it; staff still can.
alter table documents add column withdrawn_at timestamptz(3);

-- When a client was first sent the file of a document. `document_reads` only has those that were opened on its page.
create table document_deliveries (
  document_id uuid not null references documents on delete cascade,
  client_id uuid not null references clients on delete cascade,
  delivered_at timestamptz(3) not null,
  primary key (document_id, client_id)
);
