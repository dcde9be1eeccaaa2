-- The ids of the installations that this database is a copy of: keyturn payments new-installation gives a copy its own.
alter table installation add column former_installation_ids uuid[] not null default '{}';
