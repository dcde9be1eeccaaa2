-- Documents, and who has read and signed them.

create table documents (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  reference text not null unique,
  "group" text not null,
  title text not null,
  file_name text not null,
  media_type text not null,
  size integer not null check (size >= 0),
  pages integer,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  uploaded_by text not null,
  shared_at timestamptz not null,
  supersedes_id uuid references documents on delete set null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  signing text check (signing in ('simple', 'deed', 'wet_ink')),
  binds_on text check (binds_on in ('signature', 'exchange', 'completion')),
  received_on date,
  feed_sent_at timestamptz(3),
  withdrawn_at timestamptz(3),
  confirm_identity boolean not null default false,
  constraint documents_check check (binds_on is null or signing is not null),
  constraint documents_check1 check (received_on is null or (signing in ('deed', 'wet_ink')))
);
create index documents_matter on documents (matter_id);
create index documents_on_paper on documents (shared_at)
  where (signing in ('deed', 'wet_ink')) and received_on is null;
create index documents_sha256 on documents (sha256);
create index documents_supersedes on documents (supersedes_id);
comment on table documents is
  'Files that the firm shares with the clients of a case. The content is in the document store, by its SHA-256.';
comment on column documents.signing is 'How clients sign it; null if they need not.';
comment on column documents.binds_on is 'When a signature commits its signers; null if it never does.';
comment on column documents.received_on is 'When the firm received the signed paper.';
comment on column documents.withdrawn_at is
  'A document that was shared by mistake. Clients can no longer open it; staff still can.';
comment on column documents.confirm_identity is 'Whether clients confirm their identity when they sign the document.';
comment on index documents_supersedes is 'From a document to the version that took its place.';

create table document_reads (
  document_id uuid not null references documents on delete cascade,
  client_id uuid not null references clients on delete cascade,
  read_at timestamptz not null default now(),
  primary key (document_id, client_id)
);
comment on table document_reads is 'When a client first opened a document on its page.';

create table document_signatures (
  id uuid primary key,
  document_id uuid not null references documents on delete restrict,
  position integer not null check (position >= 1),
  client_id uuid not null references clients on delete restrict,
  name text not null,
  method text not null check (method in ('typed', 'drawn')),
  drawing jsonb,
  consent text not null,
  signed_at timestamptz(3) not null,
  address text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  mac bytea not null check (octet_length(mac) = 32),
  signed_in_with text,
  confirmed_with text,
  confirmed_at timestamptz(3),
  constraint document_signatures_check check ((method = 'drawn') = (drawing is not null)),
  constraint document_signatures_confirmed check ((confirmed_at is null) = (confirmed_with is null)),
  unique (document_id, client_id),
  unique (document_id, position)
);
create index document_signatures_age on document_signatures (signed_at);
comment on table document_signatures is
  'Each signature: what a client signed, when and how, as a record that can be proven unaltered later.';
comment on column document_signatures.position is
  '1 for the first signature of its document. Each is chained to the one before.';
comment on column document_signatures.consent is 'The statement that the client ticked.';
comment on column document_signatures.signed_at is 'To the millisecond, because the seal covers no further digits.';
comment on column document_signatures.sha256 is 'Of the file that was signed.';
comment on column document_signatures.mac is
  'HMAC-SHA256 over the columns before and the MAC of the previous signature: see signature-record.ts.';
comment on column document_signatures.signed_in_with is
  'How the signer had signed in; null for signatures with the first version of the seal.';
comment on column document_signatures.confirmed_with is
  'How the signer confirmed their identity; null if they were not asked to.';

create table signed_files (
  signature_id uuid primary key references document_signatures on delete restrict,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  made_at timestamptz(3) not null,
  mac bytea not null check (octet_length(mac) = 32)
);
create index signed_files_sha256 on signed_files (sha256);
comment on table signed_files is 'The PDF that was made of a document with all signatures up to this one.';

create table document_deliveries (
  document_id uuid not null references documents on delete cascade,
  client_id uuid not null references clients on delete cascade,
  delivered_at timestamptz(3) not null,
  primary key (document_id, client_id)
);
comment on table document_deliveries is
  'When a client was first sent the file of a document. `document_reads` only has those that were opened on '
  'its page.';
