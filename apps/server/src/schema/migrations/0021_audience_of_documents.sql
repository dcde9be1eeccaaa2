-- A document is for everyone on the case, or for one client. It stays theirs when they leave the case.
alter table documents add column for_client_id uuid references clients on delete restrict;
comment on column documents.for_client_id is 'The only client who can see it; null for everyone on the case.';
create index documents_for_client on documents (for_client_id) where for_client_id is not null;
