-- The audit log: its entries, and the chain that orders them.

create table audit_entries (
  id uuid primary key,
  occurred_at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('staff', 'feed_key', 'client', 'command_line', 'system')),
  actor_id text,
  actor_name text not null,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject_kind text not null,
  subject_id text,
  address text,
  before jsonb,
  after jsonb,
  content_hash bytea not null check (octet_length(content_hash) = 32)
);
create index audit_entries_actor on audit_entries (actor_id, occurred_at);
create index audit_entries_occurred on audit_entries (occurred_at);
create index audit_entries_subject on audit_entries (subject_id, occurred_at);
comment on table audit_entries is
  'Each audited action, with its actor, subject, time and address. Rows are only added.';
comment on column audit_entries.actor_name is 'The name at the time.';
comment on column audit_entries.action is 'The server has the list of actions, so that a new one needs no migration.';
comment on column audit_entries.content_hash is 'SHA-256 of the canonical form of the columns before.';

create table audit_links (
  position bigint primary key,
  entry_id uuid not null unique references audit_entries on delete restrict,
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table audit_links is 'The order of the entries. Each hash covers the entry and the former hash.';
