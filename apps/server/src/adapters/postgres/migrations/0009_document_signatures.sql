-- Signatures on documents: who signed what, when and how, as a record that can be proven unaltered later.

create table document_signatures (
  id uuid primary key,
  document_id uuid not null references documents on delete restrict,
  -- 1 for the first on its document; each is chained to the one before.
  position integer not null check (position >= 1),
  client_id uuid not null references clients on delete restrict,
  name text not null,
  method text not null check (method in ('typed', 'drawn')),
  drawing jsonb,
  -- The words that the client ticked.
  consent text not null,
  -- To the millisecond, as it is signed over: no digit below that could be altered unseen.
  signed_at timestamptz(3) not null,
  address text not null,
  -- Of the file that was signed.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- HMAC-SHA256 over all of the above and the MAC of the signature before; signature-record.ts.
  mac bytea not null check (octet_length(mac) = 32),
  unique (document_id, position),
  unique (document_id, client_id),
  check ((method = 'drawn') = (drawing is not null))
);
create trigger document_signatures_append_only before update or delete or truncate on document_signatures
  for each statement execute function refuse_change();

-- The PDF that was made of a document with all signatures up to this one.
create table signed_files (
  signature_id uuid primary key references document_signatures on delete restrict,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  made_at timestamptz(3) not null,
  mac bytea not null check (octet_length(mac) = 32)
);
create index signed_files_sha256 on signed_files (sha256);
create trigger signed_files_append_only before update or delete or truncate on signed_files
  for each statement execute function refuse_change();

-- From a document to the version that took its place.
create index documents_supersedes on documents (supersedes_id);
