-- Requests of feed keys with an Idempotency-Key: the same request gets the same answer. Kept for a day.
create table feed_requests (
  key_id uuid not null references feed_keys on delete restrict,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  -- SHA-256 of everything that decides what the request does.
  content_hash bytea not null check (octet_length(content_hash) = 32),
  created_at timestamptz(3) not null,
  -- Null while the request is in progress.
  answer json,
  primary key (key_id, idempotency_key)
);
create index feed_requests_age on feed_requests (created_at);

-- Files of documents that were sent over HTTP, until the record of their document is stored. The content is in the
-- store of documents.
create table feed_files (
  reference text primary key check (length(reference) between 1 and 100),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  media_type text not null,
  sent_at timestamptz(3) not null
);

-- What clients did, and what happened to their payments, for firms that ask for it over HTTP. A row is added in the
-- transaction of what it reports.
create table client_changes (
  id bigint primary key generated always as identity,
  -- From 1, without gaps; null until a firm first reads the row. Given only to rows that are committed, so that a reader
  -- never finds a row before one that it has read.
  position bigint unique,
  type text not null,
  occurred_at timestamptz(3) not null,
  client_id uuid,
  payment_id uuid,
  -- The document, refund or dispute; the payment or client itself otherwise.
  subject_id uuid not null,
  -- Pence.
  amount integer,
  outcome text
);
create index client_changes_unread on client_changes (id) where position is null;

create function record_paid_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
    values ('payment.succeeded', new.paid_at, coalesce(new.confirmed_by, new.client_id), new.id, new.id, new.amount);
  return null;
end $$;
create trigger payments_client_change after update on payments for each row
  when (old.paid_at is null and new.paid_at is not null) execute function record_paid_change();

create function record_refunded_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
    select 'payment.refunded', new.updated_at, client_id, id, new.id, new.amount
    from payments where id = new.payment_id;
  return null;
end $$;
create trigger refunds_client_change_insert after insert on refunds for each row
  when (new.status = 'succeeded') execute function record_refunded_change();
create trigger refunds_client_change_update after update on refunds for each row
  when (old.status <> 'succeeded' and new.status = 'succeeded') execute function record_refunded_change();

create function record_disputed_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount, outcome)
    select case when new.status = 'closed' then 'payment.dispute_closed' else 'payment.disputed' end,
      coalesce(new.closed_at, new.opened_at), client_id, id, new.id, new.amount, new.outcome
    from payments where id = new.payment_id;
  return null;
end $$;
create trigger disputes_client_change_insert after insert on disputes
  for each row execute function record_disputed_change();
create trigger disputes_client_change_update after update on disputes for each row
  when (old.status <> 'closed' and new.status = 'closed') execute function record_disputed_change();

create function record_signed_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('document.signed', new.signed_at, new.client_id, new.document_id);
  return null;
end $$;
create trigger document_signatures_client_change after insert on document_signatures
  for each row execute function record_signed_change();

create function record_read_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('document.read', new.read_at, new.client_id, new.document_id);
  return null;
end $$;
create trigger document_reads_client_change after insert on document_reads
  for each row execute function record_read_change();

-- An import may set a first password too: the client did not do that.
create function record_activated_change() returns trigger language plpgsql as $$
begin
  if current_setting('keyturn.import', true) = 'on' then return null; end if;
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.activated', new.updated_at, new.id, new.id);
  return null;
end $$;
create trigger clients_client_change after update on clients for each row
  when (old.password_hash is null and new.password_hash is not null) execute function record_activated_change();

insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount, outcome)
select * from (
  select 'payment.succeeded' as type, paid_at as occurred_at, coalesce(confirmed_by, client_id) as client_id,
      id as payment_id, id as subject_id, amount, null::text as outcome
    from payments where paid_at is not null
  union all
  select 'payment.refunded', r.updated_at, p.client_id, p.id, r.id, r.amount, null
    from refunds r join payments p on p.id = r.payment_id where r.status = 'succeeded'
  union all
  select 'payment.disputed', d.opened_at, p.client_id, p.id, d.id, d.amount, null
    from disputes d join payments p on p.id = d.payment_id
  union all
  select 'payment.dispute_closed', d.closed_at, p.client_id, p.id, d.id, d.amount, d.outcome
    from disputes d join payments p on p.id = d.payment_id where d.status = 'closed'
  union all
  select 'document.signed', signed_at, client_id, null, document_id, null, null from document_signatures
  union all
  select 'document.read', read_at, client_id, null, document_id, null, null from document_reads
  union all
  select 'client.activated', occurred_at, subject_id::uuid, null, subject_id::uuid, null, null
    from audit_entries where action = 'client.password_set' and after ->> 'link' = 'invitation'
) as recorded order by occurred_at;
