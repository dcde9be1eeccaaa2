-- The files of the builds that servers serve, or have served in the last day, for servers of other builds.

create table build_files (
  -- As browsers ask for it, such as /assets/start-x1.js or /desk/assets/start-x1.js.
  path text primary key check (length(path) between 2 and 300),
  content bytea not null,
  -- Whether the content is compressed with Brotli.
  is_compressed boolean not null,
  -- When a server whose build contains the file last said so.
  served_at timestamptz(3) not null
);
-- PostgreSQL cannot compress the files further.
alter table build_files alter column content set storage external;
create index build_files_served_at on build_files (served_at);
