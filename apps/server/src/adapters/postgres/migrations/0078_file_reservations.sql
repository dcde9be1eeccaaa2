-- Files that are being stored and recorded. An erasure does not remove them meanwhile. Rows of servers that ended before
-- they recorded a file expire after a day.
create table file_reservations (
  id uuid not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  reserved_at timestamptz(3) not null default now(),
  primary key (id, sha256)
);
create index file_reservations_sha256 on file_reservations (sha256);
create index file_reservations_age on file_reservations (reserved_at);
