-- The address that a client wanted back when they stopped a change of it, and that another client has by then. No link is
-- mailed to the client until they have another address.
alter table clients add column unrestored_email text;

create index clients_unrestored on clients (id) where unrestored_email is not null;
