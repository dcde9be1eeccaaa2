-- Legal holds, retention, and erasures. An erasure leaves a record without personal data.

create table legal_holds (
  id bigint generated always as identity primary key,
  subject_kind text not null check (subject_kind in ('case', 'client')),
  subject_id uuid not null,
  reason text not null check (length(reason) <= 500),
  placed_at timestamptz(3) not null,
  placed_by text not null,
  released_at timestamptz(3),
  released_by text,
  release_reason text check (length(release_reason) <= 500),
  constraint legal_holds_check check ((released_at is null) = (released_by is null))
);
create unique index legal_holds_open on legal_holds (subject_kind, subject_id) where released_at is null;
create index legal_holds_subject on legal_holds (subject_id);
comment on table legal_holds is 'No retention rule and no erasure deletes what is under a hold.';
comment on column legal_holds.reason is 'Emptied when the subject is erased.';
comment on column legal_holds.release_reason is
  'Null for a hold without a reason for its release. An erasure removes it.';

create table retention_rules (
  kind text primary key
    check (kind in ('purchase', 'sale', 'remortgage', 'transfer-of-equity', 'abandoned', 'payments',
    'clients_without_cases')),
  months integer not null check (months >= 1 and months <= 1200),
  deletes boolean not null default false,
  changed_at timestamptz(3),
  changed_by text
);
comment on table retention_rules is
  'How long records are kept after a case was closed. docs/retention.md has the sources of these periods, '
  'which are usual in England and Wales.';
comment on column retention_rules.deletes is
  'Whether the daily job deletes what is due. Otherwise it is only listed.';

-- Usual periods in England and Wales; docs/retention.md has the sources.
insert into retention_rules (kind, months) values
  ('purchase', 180), ('transfer-of-equity', 180), ('sale', 84), ('remortgage', 84), ('abandoned', 84),
  ('payments', 84), ('clients_without_cases', 12);

create table erasures (
  id bigint generated always as identity primary key,
  subject_kind text not null check (subject_kind in ('case', 'client')),
  subject_id uuid not null,
  reference_hash bytea not null check (octet_length(reference_hash) = 32),
  occurred_at timestamptz(3) not null,
  ordered_by text not null,
  basis text not null check (basis in ('request', 'retention', 'restored')),
  early_reason text check (length(early_reason) <= 500),
  transaction_id xid8 not null default pg_current_xact_id(),
  opened_at timestamptz not null default transaction_timestamp()
);
create index erasures_reference on erasures (reference_hash);
create index erasures_subject on erasures (subject_id);
create index erasures_transaction on erasures (transaction_id);
comment on table erasures is 'Each erasure of a case or a client, without personal data.';
comment on column erasures.id is 'The number by which reports and messages name it.';
comment on column erasures.reference_hash is
  'SHA-256 of `client:` or `case:` and the firm''s reference, so that a feed does not add it again.';
comment on column erasures.basis is '''restored'': it was erased before, and came back with a backup.';
comment on column erasures.early_reason is 'Why it was erased before its retention ended; null otherwise.';
comment on column erasures.transaction_id is
  'With the start of the transaction it names the transaction, also in a restored database, whose transactions '
  'are counted from the start.';

create table erased_rows (
  erasure_id bigint not null references erasures on delete restrict,
  table_name text not null,
  row_count bigint not null,
  primary key (erasure_id, table_name)
);
comment on table erased_rows is 'How many rows of each table an erasure deleted.';

create table erased_files (
  erasure_id bigint not null references erasures on delete restrict,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  state text not null default 'waiting' check (state in ('waiting', 'removed', 'kept')),
  finished_at timestamptz(3),
  primary key (erasure_id, sha256),
  constraint erased_files_check check ((state = 'waiting') = (finished_at is null))
);
create index erased_files_waiting on erased_files (erasure_id) where state = 'waiting';
comment on table erased_files is 'Files to remove from the store of documents once the erasure is committed.';
comment on column erased_files.state is '''kept'': another record has the same file.';

create table erased_payments (
  payment_id uuid primary key,
  erasure_id bigint not null references erasures on delete restrict,
  provider text not null,
  provider_intent_id text,
  status text not null,
  amount integer not null,
  refunded_amount integer not null,
  paid_at timestamptz
);
create index erased_payments_intent on erased_payments (provider, provider_intent_id);
comment on table erased_payments is 'The money of erased payments, for the ledger and reconciliation.';

create table erased_signatures (
  document_id uuid primary key,
  erasure_id bigint not null references erasures on delete restrict,
  signatures integer not null,
  last_mac bytea not null
);
comment on table erased_signatures is 'The end of the chain of signatures on each erased document.';

create table audit_redactions (
  entry_id uuid primary key references audit_entries on delete restrict,
  erasure_id bigint not null references erasures on delete restrict,
  remaining_hash bytea not null check (octet_length(remaining_hash) = 32)
);
create index audit_redactions_erasure on audit_redactions (erasure_id);
comment on table audit_redactions is
  'Entries of the audit log whose name and address were removed. The entries keep their hash and their place '
  'in the chain.';
comment on column audit_redactions.remaining_hash is 'SHA-256 of the canonical form of what remains.';

create table unused_files (
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  document_id uuid,
  unused_since timestamptz(3) not null default now(),
  unique nulls not distinct (sha256, document_id)
);
create index unused_files_document on unused_files (document_id);
comment on table unused_files is
  'Files that a document or an upload no longer has. They stay for a while, because a database that is '
  'recovered to an earlier moment needs them. An erasure of the case removes them at once.';
comment on column unused_files.document_id is 'Null for an upload that no document had.';

create table file_reservations (
  id uuid not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  reserved_at timestamptz(3) not null default now(),
  primary key (id, sha256)
);
create index file_reservations_age on file_reservations (reserved_at);
create index file_reservations_sha256 on file_reservations (sha256);
comment on table file_reservations is
  'Files that are being stored and recorded. An erasure does not remove them meanwhile. Rows of servers that '
  'ended before they recorded a file expire after a day.';

create table unfinished_restores (
  id uuid default gen_random_uuid() primary key,
  erased jsonb not null
);
comment on table unfinished_restores is 'A restored database, until everything that follows a restore is done.';
comment on column unfinished_restores.erased is
  'The cases and clients that backups list as erased, such as [{"kind": "case", "id": "…"}].';
