-- When operations that have to happen regularly last succeeded, for the metrics, and how far the audit log was verified
-- and archived then. Servers of the last release do not know the table.
create table completed_operations (
  operation text primary key check (operation in ('backup', 'audit_verification', 'audit_archive')),
  completed_at timestamptz(3) not null,
  -- The last entry of the audit log; null for a backup, and for an empty log.
  position bigint check (position > 0),
  hash bytea check (length(hash) = 32),
  check ((position is null) = (hash is null))
);

-- Password links are deleted some time after they expired.
create index password_links_age on password_links (expires_at);
