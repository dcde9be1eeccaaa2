-- Legal holds, and the erasure of cases and clients. An erasure leaves a record without personal data.

-- No retention rule and no erasure deletes what is under a hold.
create table legal_holds (
  id bigint primary key generated always as identity,
  subject_kind text not null check (subject_kind in ('case', 'client')),
  subject_id uuid not null,
  -- Emptied when the subject is erased.
  reason text not null check (length(reason) <= 500),
  placed_at timestamptz(3) not null,
  placed_by text not null,
  released_at timestamptz(3),
  released_by text,
  check ((released_at is null) = (released_by is null))
);
create unique index legal_holds_open on legal_holds (subject_kind, subject_id) where released_at is null;
create index legal_holds_subject on legal_holds (subject_id);

create table erasures (
  -- The number by which reports and messages name it.
  id bigint primary key generated always as identity,
  subject_kind text not null check (subject_kind in ('case', 'client')),
  subject_id uuid not null,
  -- SHA-256 of `client:` or `case:` and the firm's reference, so that a feed does not add it again.
  reference_hash bytea not null check (octet_length(reference_hash) = 32),
  occurred_at timestamptz(3) not null,
  ordered_by text not null,
  -- 'restored': it was erased before, and came back with a backup.
  basis text not null check (basis in ('request', 'retention', 'restored')),
  -- Why it was erased before its retention ended; null otherwise.
  early_reason text check (length(early_reason) <= 500),
  -- Together they name the transaction, also in a restored database, whose transactions are counted from the start.
  transaction_id xid8 not null default pg_current_xact_id(),
  opened_at timestamptz not null default transaction_timestamp()
);
create index erasures_transaction on erasures (transaction_id);
create index erasures_reference on erasures (reference_hash);
create index erasures_subject on erasures (subject_id);

create table erased_rows (
  erasure_id bigint not null references erasures on delete restrict,
  table_name text not null,
  row_count bigint not null,
  primary key (erasure_id, table_name)
);

-- The end of the chain of signatures on each erased document.
create table erased_signatures (
  document_id uuid primary key,
  erasure_id bigint not null references erasures on delete restrict,
  signatures integer not null,
  last_mac bytea not null
);

-- The money of erased payments, for the ledger and reconciliation.
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

-- Files to remove from the store of documents once the erasure is committed.
create table erased_files (
  erasure_id bigint not null references erasures on delete restrict,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- 'kept': another record has the same file.
  state text not null default 'waiting' check (state in ('waiting', 'removed', 'kept')),
  finished_at timestamptz(3),
  primary key (erasure_id, sha256),
  check ((state = 'waiting') = (finished_at is null))
);
create index erased_files_waiting on erased_files (erasure_id) where state = 'waiting';
create index documents_sha256 on documents (sha256);
create index receipt_files_sha256 on receipt_files (sha256);

-- Entries of the audit log whose name and address were removed. The entries keep their hash and their place in the chain.
create table audit_redactions (
  entry_id uuid primary key references audit_entries on delete restrict,
  erasure_id bigint not null references erasures on delete restrict,
  -- SHA-256 of the canonical form of what is left.
  remaining_hash bytea not null check (octet_length(remaining_hash) = 32)
);
create index audit_redactions_erasure on audit_redactions (erasure_id);

-- A client who is erased but has signed or paid in a case that stays for its other clients. Only the id is left.
alter table clients add column erased_at timestamptz(3);
create index clients_erased on clients (erased_at) where erased_at is not null;

create function is_erasing() returns boolean language sql stable as $$
  select exists (
    select from erasures
    where transaction_id = pg_current_xact_id_if_assigned() and opened_at = transaction_timestamp())
$$;

-- The transaction of an erasure may delete the records of its case, and remove names from the audit log.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name in (
    'payments', 'payment_changes', 'refunds', 'receipt_files', 'document_signatures', 'signed_files'
  ) and is_erasing() then
    return null;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' and is_erasing() then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger erasures_append_only before update or delete or truncate on erasures
  for each statement execute function refuse_change();
create trigger erased_rows_append_only before update or delete or truncate on erased_rows
  for each statement execute function refuse_change();
create trigger erased_signatures_append_only before update or delete or truncate on erased_signatures
  for each statement execute function refuse_change();
create trigger erased_payments_append_only before update or delete or truncate on erased_payments
  for each statement execute function refuse_change();
create trigger erased_files_kept before delete or truncate on erased_files
  for each statement execute function refuse_change();
create trigger audit_redactions_append_only before update or delete or truncate on audit_redactions
  for each statement execute function refuse_change();
create trigger legal_holds_kept before delete or truncate on legal_holds
  for each statement execute function refuse_change();

create function check_audit_redaction() returns trigger language plpgsql as $$
begin
  if new.actor_name <> 'Erased client' or new.address is not null
    or to_jsonb(new) - array['actor_name', 'address'] <> to_jsonb(old) - array['actor_name', 'address']
    or not exists (
      select from audit_redactions redaction join erasures on erasures.id = redaction.erasure_id
      where redaction.entry_id = old.id and erasures.subject_id::text = old.actor_id
        and erasures.transaction_id = pg_current_xact_id_if_assigned())
  then
    raise exception 'audit_entries is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger audit_entries_redaction before update on audit_entries
  for each row execute function check_audit_redaction();

create function redact_audit_entry() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  update audit_entries set actor_name = 'Erased client', address = null where id = new.entry_id;
  return null;
end $$;
create trigger audit_redactions_apply after insert on audit_redactions
  for each row execute function redact_audit_entry();

-- A hold is released once, and never changes otherwise. An erasure empties its reason.
create function check_hold_change() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['released_at', 'released_by', 'reason']
      <> to_jsonb(old) - array['released_at', 'released_by', 'reason']
    or (new.reason <> old.reason and not (new.reason = '' and is_erasing()))
    or (old.released_at is not null
      and (new.released_at, new.released_by) is distinct from (old.released_at, old.released_by))
  then
    raise exception 'a legal hold does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger legal_holds_check before update on legal_holds
  for each row execute function check_hold_change();

-- Placing a hold locks the same row, so that one of the two waits for the other.
create function refuse_erasure_under_hold() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if new.subject_kind = 'case' then
    perform from conveyancing_cases where id = new.subject_id for update;
  else
    perform from clients where id = new.subject_id for update;
  end if;
  if not found then
    raise exception 'there is no % %', new.subject_kind, new.subject_id using errcode = 'no_data_found';
  end if;
  -- A hold of a client protects their cases too.
  if new.basis <> 'restored' and exists (
    select from legal_holds
    where released_at is null and (
      (subject_kind = new.subject_kind and subject_id = new.subject_id)
      or (new.subject_kind = 'case' and subject_kind = 'client' and subject_id in (
        select client_id from case_clients where case_id = new.subject_id))))
  then
    raise exception 'the % % is under a legal hold', new.subject_kind, new.subject_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger erasures_check before insert on erasures
  for each row execute function refuse_erasure_under_hold();

-- Deletes rows of a table, and counts them. @param ids what $1 in the condition is
create function erase_rows(of_erasure bigint, from_table text, condition text, ids uuid[]) returns void
language plpgsql as $$
declare
  deleted bigint;
begin
  execute format('delete from %s where %s', from_table, condition) using ids;
  get diagnostics deleted = row_count;
  if deleted = 0 then return; end if;
  insert into erased_rows (erasure_id, table_name, row_count) values (of_erasure, from_table, deleted)
    on conflict do nothing;
end $$;

create function find_erasure(erasure bigint, of_kind text) returns uuid language plpgsql as $$
declare
  subject uuid;
begin
  select subject_id into subject from erasures
    where id = erasure and subject_kind = of_kind
      and transaction_id = pg_current_xact_id_if_assigned() and opened_at = transaction_timestamp();
  if not found then raise exception 'no erasure % of this transaction', erasure; end if;
  return subject;
end $$;

-- Deletes the payments of a case with everything about them.
create function erase_payments(erasure bigint, erased uuid[]) returns void language plpgsql as $$
declare
  part text[];
  of_intents constant text := 'intent_id in (select provider_intent_id from payments where id = any($1))';
begin
  if exists (select from erasures where id = erasure and basis <> 'restored') and (
    exists (
      select from payments where id = any(erased) and (
        status in ('requires_payment_method', 'requires_action', 'processing') or dispute_status in ('inquiry', 'open')))
    or exists (
      select from refunds where payment_id = any(erased)
        and status in ('awaiting_approval', 'approved', 'pending', 'requires_action')))
  then
    raise exception 'a payment is under way' using errcode = 'restrict_violation';
  end if;
  insert into erased_payments (
    payment_id, erasure_id, provider, provider_intent_id, status, amount, refunded_amount, paid_at)
    select id, erasure, provider, provider_intent_id, status, amount, refunded_amount, paid_at
    from payments where id = any(erased);
  update payments set last_refund_id = null where id = any(erased) and last_refund_id is not null;
  foreach part slice 1 in array array[
    ['provider_events', of_intents],
    ['sandbox_charges', of_intents],
    ['sandbox_events', of_intents],
    ['sandbox_refunds', of_intents],
    ['sandbox_disputes', of_intents],
    ['sandbox_fraud_warnings', of_intents],
    ['sandbox_reviews', of_intents],
    ['sandbox_intents', 'id in (select provider_intent_id from payments where id = any($1))'],
    ['payment_mails', 'payment_id = any($1)'],
    ['receipt_files', 'payment_id = any($1)'],
    ['payment_changes', 'payment_id = any($1)'],
    ['disputes', 'payment_id = any($1)'],
    ['early_fraud_warnings', 'payment_id = any($1)'],
    ['provider_reviews', 'payment_id = any($1)'],
    ['refunds', 'payment_id = any($1)'],
    ['payment_attempts', 'payment_id = any($1)'],
    ['payment_idempotency_keys', 'payment_id = any($1)'],
    ['payments', 'id = any($1)']
  ] loop
    perform erase_rows(erasure, part[1], part[2], erased);
  end loop;
end $$;

-- Deletes jobs that name one of these ids. Those that a server is working on end by themselves.
create function erase_jobs(erasure bigint, ids uuid[]) returns void language plpgsql as $$
begin
  perform erase_rows(erasure, 'graphile_worker._private_jobs',
    'locked_at is null and payload::text ~ array_to_string($1, ''|'')', ids);
end $$;

-- Whether a client has signed or paid in a case that exists.
create function is_client_referenced(client uuid) returns boolean language sql stable as $$
  select exists (select from document_signatures where client_id = client)
    or exists (select from payments where client in (client_id, confirmed_by, last_payer_id, cancel_requested_by))
    or exists (select from payment_changes where client in (confirmed_by, cancelled_by))
    or exists (select from payment_mails where client_id = client)
$$;

-- Erases a case with its documents, signatures, payments and history.
create function erase_case(erasure bigint) returns void language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  target constant uuid := find_erasure(erasure, 'case');
  own_matters uuid[];
  own_documents uuid[];
  own_payments uuid[];
  own_records uuid[];
begin
  -- Whatever adds a record to them meanwhile waits, and then finds that they are gone.
  perform from conveyancing_cases where id = target for update;
  perform from matters where case_id = target for update;
  own_matters := array(select id from matters where case_id = target);
  perform from documents where matter_id = any(own_matters) for update;
  own_documents := array(select id from documents where matter_id = any(own_matters));
  perform from document_signatures where document_id = any(own_documents) for update;
  perform from payments where case_id = target for update;
  own_payments := array(select id from payments where case_id = target);
  own_records := array[target] || own_matters || own_documents || own_payments
    || array(select id from case_searches where matter_id = any(own_matters))
    || array(select id from tasks where case_id = target) || array(select id from bills where case_id = target);
  insert into erased_files (erasure_id, sha256)
    select erasure, sha256 from documents where id = any(own_documents)
    union select erasure, signed_files.sha256 from signed_files
      join document_signatures signature on signature.id = signature_id where document_id = any(own_documents)
    union select erasure, sha256 from receipt_files where payment_id = any(own_payments)
    union select erasure, feed_files.sha256 from feed_files
      join documents using (reference) where documents.id = any(own_documents);
  insert into erased_signatures (document_id, erasure_id, signatures, last_mac)
    select distinct on (document_id) document_id, erasure, position, mac from document_signatures
    where document_id = any(own_documents) order by document_id, position desc;
  perform erase_payments(erasure, own_payments);
  perform erase_rows(erasure, 'signed_files', 'signature_id in (
    select id from document_signatures where document_id = any($1))', own_documents);
  perform erase_rows(erasure, 'document_signatures', 'document_id = any($1)', own_documents);
  perform erase_rows(erasure, 'feed_files', 'reference in (
    select reference from documents where id = any($1))', own_documents);
  perform erase_rows(erasure, 'desk_items', 'subject_id = any($1)', own_records);
  perform erase_jobs(erasure, own_records);
  perform erase_rows(erasure, 'webhook_events', 'ordering_key = any($1)', array[target]);
  perform erase_rows(erasure, 'spreadsheet_cases', 'reference in (
    select reference from conveyancing_cases where id = any($1))', array[target]);
  perform erase_rows(erasure, 'payment_links', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'tasks', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'bills', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'history_entries', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'case_searches', 'matter_id = any($1)', own_matters);
  perform erase_rows(erasure, 'milestones', 'matter_id = any($1)', own_matters);
  perform erase_rows(erasure, 'documents', 'matter_id = any($1)', own_matters);
  perform erase_rows(erasure, 'matters', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'case_clients', 'case_id = any($1)', array[target]);
  perform erase_rows(erasure, 'conveyancing_cases', 'id = any($1)', array[target]);
  update legal_holds set reason = '' where subject_kind = 'case' and subject_id = target;
  delete from payment_check_reports;
  -- Erased clients who had signed or paid in this case only.
  delete from clients where erased_at is not null and not is_client_referenced(id);
end $$;

-- Erases a client. Their cases must be erased before, or stay for other clients.
create function erase_client(erasure bigint) returns void language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  target constant uuid := find_erasure(erasure, 'client');
  from_table text;
begin
  if exists (
    select from case_clients own where client_id = target and not exists (
      select from case_clients other where other.case_id = own.case_id and other.client_id <> target))
  then
    raise exception 'client % has cases', target using errcode = 'restrict_violation';
  end if;
  -- What Keyturn itself wrote with their name or address into the file of other clients, except signatures and payments.
  update history_entries set actor = 'Former client' where actor = (
      select first_name || ' ' || last_name from clients where id = target)
    and case_id in (select case_id from case_clients where client_id = target);
  update payment_mails set address = '' where client_id = target;
  -- Every server closes the connections of sessions that end.
  update sessions set revoked_at = now() where client_id = target and revoked_at is null;
  foreach from_table in array array['sessions', 'known_devices', 'password_links', 'client_factors',
    'client_recovery_codes', 'email_changes', 'sign_in_warnings', 'payment_attempts', 'payment_idempotency_keys',
    'payment_links', 'case_clients']
  loop
    perform erase_rows(erasure, from_table, 'client_id = any($1)', array[target]);
  end loop;
  perform erase_rows(erasure, 'webhook_events', 'ordering_key = any($1)', array[target]);
  perform erase_rows(erasure, 'desk_items', 'subject_id = any($1)', array[target]);
  perform erase_jobs(erasure, array[target]);
  update legal_holds set reason = '' where subject_kind = 'client' and subject_id = target;
  if not is_client_referenced(target) then
    perform erase_rows(erasure, 'clients', 'id = any($1)', array[target]);
    return;
  end if;
  update clients set
    reference = 'erased-' || id, title = null, first_name = 'Former', last_name = 'client',
    email = 'erased-' || id || '@erased.invalid', phone = null, password_hash = null, active_case_id = null,
    feed_hash = null, feed_sent_at = null, replaced_feed_email = null, unrestored_email = null,
    email_change_mailed_at = null,
    disabled_at = now(), erased_at = now(), updated_at = now()
  where id = target;
end $$;
