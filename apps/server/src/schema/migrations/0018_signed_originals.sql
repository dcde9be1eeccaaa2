-- Joint owners may sign counterparts of a paper, so each original has its own day. `received_on` is the day of the last one.
alter table documents add column originals jsonb not null default '[]';
comment on column documents.originals is 'The signed originals that the firm has received: the client_id of the signer, and received_on.';
