-- The whole current schema, written by "npm run schema" from a database with all migrations, functions and triggers.
-- Change it with a migration, or in functions/ and triggers/: see docs/releasing.md.

create type new_event as (channel text, event text, ids text[]);

-- Each audited action, with its actor, subject, time and address. Rows are only added.
create table audit_entries (
  id uuid primary key,
  occurred_at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('staff', 'feed_key', 'client', 'command_line', 'system')),
  actor_id text,
  -- The name at the time.
  actor_name text not null,
  -- The server has the list of actions, so that a new one needs no migration.
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject_kind text not null,
  subject_id text,
  address text,
  before jsonb,
  after jsonb,
  -- SHA-256 of the canonical form of the columns before.
  content_hash bytea not null check (octet_length(content_hash) = 32)
);
create index audit_entries_actor on audit_entries (actor_id, occurred_at);
create index audit_entries_occurred on audit_entries (occurred_at);
create index audit_entries_subject on audit_entries (subject_id, occurred_at);
create trigger audit_entries_append_only before delete or update or truncate on audit_entries
  for each statement execute function refuse_change();
create constraint trigger audit_entries_link after insert on audit_entries deferrable initially deferred
  for each row execute function link_audit_entry();
create trigger audit_entries_redaction before update on audit_entries for each row
  execute function check_audit_redaction();

-- The order of the entries. Each hash covers the entry and the former hash.
create table audit_links (
  "position" bigint primary key,
  entry_id uuid not null references audit_entries on delete restrict unique,
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger audit_links_append_only before delete or update or truncate on audit_links
  for each statement execute function refuse_change();

-- Entries of the audit log whose name and address were removed. The entries keep their hash and their place in the
-- chain.
create table audit_redactions (
  entry_id uuid primary key references audit_entries on delete restrict,
  erasure_id bigint not null references erasures on delete restrict,
  -- SHA-256 of the canonical form of what remains.
  remaining_hash bytea not null check (octet_length(remaining_hash) = 32)
);
create index audit_redactions_erasure on audit_redactions (erasure_id);
create trigger audit_redactions_append_only before delete or update or truncate on audit_redactions
  for each statement execute function refuse_change();
create trigger audit_redactions_apply after insert on audit_redactions for each row
  execute function redact_audit_entry();

-- When each provider's balance was last fetched completely.
create table balance_fetches (
  provider text primary key,
  fetched_at timestamptz not null
);

-- The movements of the firm's money at the provider, copied as they are. The ledger is derived from them.
create table balance_transactions (
  provider text not null,
  transaction_id text not null,
  kind text not null check (kind in ('charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'fee',
    'payout', 'payout_failure', 'other')),
  -- Pence before the fee; negative if the money left the balance.
  amount integer not null,
  -- Pence that the provider took from the balance for it; negative if a fee was returned.
  fee integer not null,
  currency text not null,
  -- The intent whose money moved. It need not belong to one of these payments.
  intent_id text,
  created_at timestamptz not null,
  available_on date not null,
  -- The payout that contains it; null until the provider has paid it out.
  payout_id text,
  fetched_at timestamptz not null,
  -- The provider's id of the refund that it made or took back; null for other movements, and before release 0.3.
  refund_id text,
  constraint balance_transactions_pkey primary key (provider, transaction_id)
);
create index balance_transactions_by_intent on balance_transactions (provider, intent_id);
create index balance_transactions_by_payout on balance_transactions (provider, payout_id);
create index balance_transactions_by_time on balance_transactions (provider, created_at);
create trigger balance_transactions_facts before update on balance_transactions for each row
  execute function check_balance_transaction();
create trigger balance_transactions_kept before delete or truncate on balance_transactions
  for each statement execute function refuse_change();

-- The firm's bills, from the feed. Only a payment of a bill is the firm's own money (SRA Accounts Rules 2.1(d)).
create table bills (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  -- Null for a bill for the case as a whole.
  matter_id uuid references matters on delete cascade,
  reference text not null unique,
  number text not null,
  description text not null,
  issued_on date not null,
  -- Pence.
  net integer not null check (net > 0),
  vat_rate double precision not null check (vat_rate >= 0::double precision and vat_rate <= 100::double precision),
  vat integer not null check (vat >= 0),
  status text not null check (status in ('issued', 'cancelled')),
  -- Pence that the firm received by other means than by card in Keyturn.
  paid_otherwise integer not null check (paid_otherwise >= 0),
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null with `due_on_completion` false: due when it was issued.
  due_on date,
  -- Due when its matter completes.
  due_on_completion boolean not null default false,
  feed_sent_at timestamptz(3),
  -- Description, net, VAT code, rate, VAT, and whether it is client or office money; null for one line of `net`,
  -- `vat_rate` and `vat`.
  lines jsonb,
  -- The document with the bill itself.
  document_id uuid references documents on delete set null,
  -- Pence with VAT that the firm told the client to expect; null if it gave no estimate.
  estimate integer check (estimate > 0),
  -- Why the bill is more than the estimate, as clients read it.
  above_estimate text,
  constraint bills_check check (not due_on_completion or due_on is null and matter_id is not null)
);
create index bills_due on bills (coalesce(due_on, issued_on)) where status = 'issued' and not due_on_completion
  and paid_otherwise < (net + vat);
create index bills_due_on_completion on bills (matter_id) where status = 'issued' and due_on_completion
  and paid_otherwise < (net + vat);
create index bills_of_case on bills (case_id);
create index bills_of_document on bills (document_id) where document_id is not null;
create trigger bills_broadcast_insert after insert on bills referencing new table as rows_after
  for each statement execute function broadcast_changed_rows('CaseUpdated', '');
create trigger bills_broadcast_update after update on bills
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');
create trigger bills_lines_outdated before update of net, vat_rate, vat on bills for each row
  execute function forget_bill_lines();

-- What has changed, for the browsers that show it. An event names what to fetch again, and contains nothing of it.
create table broadcast_events (
  id bigint generated always as identity primary key,
  -- All events of a transaction become visible, and are sent, together.
  transaction_id xid8 not null default pg_current_xact_id(),
  channel text not null,
  event text not null,
  -- What changed. Empty: everything that the channel is about, or too much to name.
  ids text[] not null,
  -- The connection whose own request made the change: it has the answer.
  except_socket text,
  created_at timestamptz not null default now(),
  -- When a server passed it on to an external broadcaster, if there is one.
  sent_at timestamptz,
  constraint broadcast_events_transaction_id_channel_event_key unique (transaction_id, channel, event)
);
create index broadcast_events_age on broadcast_events (created_at);
create index broadcast_events_unsent on broadcast_events (id) where sent_at is null;
create trigger broadcast_events_note after insert on broadcast_events referencing new table as rows_after
  for each statement execute function note_last_event();
create constraint trigger broadcast_events_notify after insert on broadcast_events deferrable initially deferred for
  each row execute function notify_of_events();

-- The files of the builds that servers serve, or have served in the last day, for servers of other builds.
create table build_files (
  -- As browsers ask for it, such as /assets/start-x1.js or /desk/assets/start-x1.js.
  path text primary key check (length(path) >= 2 and length(path) <= 300),
  content bytea not null,
  -- Whether the content is compressed with Brotli.
  is_compressed boolean not null,
  -- When a server whose build contains the file last said so.
  served_at timestamptz(3) not null
);
alter table build_files alter column content set storage external;
create index build_files_served_at on build_files (served_at);

-- The clients who may see a case. Joint owners are several rows.
create table case_clients (
  case_id uuid not null references conveyancing_cases on delete cascade,
  client_id uuid not null references clients on delete cascade,
  constraint case_clients_pkey primary key (case_id, client_id)
);
create index case_clients_client on case_clients (client_id);
create trigger case_clients_broadcast_delete after delete on case_clients
  referencing old table as rows_before for each statement execute function broadcast_case_clients();
create trigger case_clients_broadcast_insert after insert on case_clients
  referencing new table as rows_after for each statement execute function broadcast_case_clients();
create trigger case_clients_summary_delete after delete on case_clients referencing old table as rows_before
  for each statement execute function summarise_cases_of_clients();
create trigger case_clients_summary_insert after insert on case_clients referencing new table as rows_after
  for each statement execute function summarise_cases_of_clients();

-- The handlers and steps of all cases, for the choices of the filters.
create table case_filter_values (
  kind text not null check (kind in ('handler', 'step')),
  value text not null,
  label text not null,
  constraint case_filter_values_pkey primary key (kind, value)
);

-- Searches of a matter, such as the environmental search, with their price and result.
create table case_searches (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  reference text not null unique,
  code text not null,
  name text not null,
  supplier text not null,
  explanation text not null,
  price_net integer not null check (price_net >= 0),
  price_vat_rate numeric(5,2) not null check (price_vat_rate >= 0::numeric),
  price_vat integer not null check (price_vat >= 0),
  price_gross integer not null,
  refund_rule text not null,
  required_by text not null check (required_by in ('lender', 'firm', 'optional')),
  status text not null check (status in ('awaiting_payment', 'paid', 'ordered', 'returned', 'reviewed', 'cancelled')),
  expected_on date,
  paid_at timestamptz,
  ordered_at timestamptz,
  returned_at timestamptz,
  valid_until date,
  delayed_reason text,
  outcome text check (outcome in ('clear', 'attention')),
  outcome_summary text,
  result_document_id uuid references documents on delete set null,
  "position" integer not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What the firm's case system last sent. A search is offered again only when the firm asks for that.
  sent_status text,
  feed_sent_at timestamptz(3),
  -- Pence with VAT that the supplier charges; the rest of the price is the firm's charge. Null if the firm has not
  -- said.
  supplier_cost integer check (supplier_cost >= 0),
  -- Pence that the supplier pays back to the firm. Clients do not see it.
  rebate integer check (rebate >= 0),
  -- Pence with VAT that the firm told the client to expect; null if it gave no estimate.
  estimate integer check (estimate > 0),
  -- Why the price is more than the estimate, as clients read it.
  above_estimate text,
  constraint case_searches_check check (price_gross = (price_net + price_vat))
);
create index case_searches_matter on case_searches (matter_id);
create index case_searches_result on case_searches (result_document_id) where result_document_id is not null;
-- For Today, like the other indexes with a condition: few rows, whatever the number of cases.
create index case_searches_to_order on case_searches (paid_at) where status = 'paid';
create trigger case_searches_broadcast_insert after insert on case_searches
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseSearchUpdated', '');
create trigger case_searches_broadcast_update after update on case_searches
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseSearchUpdated', '');
create trigger case_searches_summary_delete after delete on case_searches
  referencing old table as rows_before for each statement execute function summarise_cases_of_searches();
create trigger case_searches_summary_insert after insert on case_searches
  referencing new table as rows_after for each statement execute function summarise_cases_of_searches();
create trigger case_searches_summary_update after update on case_searches
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_searches();

-- One row for each case, derived from its records by triggers, so that searching, filtering and sorting 100,000 cases
-- needs only this table. Nothing else writes it.
create table case_summaries (
  case_id uuid primary key references conveyancing_cases on delete cascade,
  reference text not null,
  status text not null,
  -- Email addresses in lower case.
  handlers text[] not null,
  matter_types text[] not null,
  -- The keys of the steps under way, and who usually does them.
  steps text[] not null,
  actors text[] not null,
  -- The earliest promised update of a step under way; infinity without one.
  promised_on date not null,
  -- When the firm last added to the history; -infinity if it never has.
  last_update_at timestamptz not null,
  -- The earliest day on which a search result that is still needed expires; infinity without one.
  expires_on date not null,
  words tsvector not null
);
create index case_summaries_expiry on case_summaries (expires_on) where expires_on < 'infinity'::date;
create index case_summaries_handlers on case_summaries using gin (handlers);
create index case_summaries_last_update on case_summaries (last_update_at, reference);
create index case_summaries_promise on case_summaries (promised_on, reference);
create index case_summaries_reference on case_summaries (reference);
create index case_summaries_steps on case_summaries using gin (steps);
create index case_summaries_words on case_summaries using gin (words);

-- A member's own filters for the list of cases.
create table case_views (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  name text not null check (length(name) >= 1 and length(name) <= 60),
  filter jsonb not null,
  created_at timestamptz(3) not null
);
create unique index case_views_name on case_views (staff_id, lower(name));

-- Challenges that a browser has to sign with a passkey, one for each browser and purpose. They are deleted when used.
create table client_challenges (
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  challenge text not null,
  expires_at timestamptz(3) not null,
  constraint client_challenges_pkey primary key (browser_hash, purpose)
);
create index client_challenges_age on client_challenges (expires_at);

-- What clients did, and what happened to their payments, for firms that ask for it over HTTP.
create table client_changes (
  id bigint generated always as identity primary key,
  -- From 1, without gaps; null until a firm first reads the row. Given only to rows that are committed, so that a
  -- reader never finds a row before one that it has read.
  "position" bigint,
  type text not null,
  occurred_at timestamptz(3) not null,
  client_id uuid,
  payment_id uuid,
  -- The document, refund or dispute; the payment or client itself otherwise.
  subject_id uuid not null,
  -- Pence.
  amount integer,
  outcome text,
  constraint client_changes_position_key unique ("position")
);
create index client_changes_unread on client_changes (id) where "position" is null;
create trigger client_changes_webhook after insert on client_changes for each row
  execute function record_event_of_change();

-- The second factors of clients, as `staff_factors` for staff.
create table client_factors (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
  kind text not null check (kind in ('authenticator', 'passkey')),
  name text not null check (length(name) >= 1 and length(name) <= 100),
  created_at timestamptz(3) not null,
  active_at timestamptz(3),
  last_used_at timestamptz(3),
  secret bytea,
  last_step bigint,
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  constraint client_factors_check check ((kind = 'authenticator') = (secret is not null)),
  constraint client_factors_check1 check ((kind = 'passkey') = (credential_id is not null
    and public_key is not null and counter is not null))
);
create index client_factors_client on client_factors (client_id);

-- Each works once instead of a code. Only their SHA-256 is stored.
create table client_recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- When a restore ended the use of a code. It counts as used from then on.
  disabled_at timestamptz(3)
);
create index client_recovery_codes_client on client_recovery_codes (client_id);

-- The firm's clients, who sign in to see their cases.
create table clients (
  id uuid primary key,
  reference text not null unique,
  title text,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  password_hash text,
  active_case_id uuid references conveyancing_cases on delete set null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When a mail last reported to the client that their email address was changed: at most one an hour, so that no
  -- feed key can mail any number of addresses.
  email_change_mailed_at timestamptz(3),
  -- Staff edit records of the case feed at the desk. An edit keeps the hash of what the feed sent, so that sending
  -- the same again leaves it alone, and the desk shows when the feed last sent a record with a change.
  feed_sent_at timestamptz(3),
  -- Whether the password has fewer characters than one needs without a second factor. The last factor then stays.
  has_short_password boolean not null default false,
  -- The address that the firm's system still sends, while the client has replaced it: their own address then stays.
  replaced_feed_email text,
  -- A disabled client cannot sign in. Their cases and records stay as they are.
  disabled_at timestamptz(3),
  -- The address that a client wanted back when they stopped a change of it, and that another client has by then. No
  -- link is mailed to the client until they have another address.
  unrestored_email text,
  -- A client who is erased but has signed or paid in a case that stays for its other clients. Only the id is left.
  erased_at timestamptz(3),
  -- When the client last changed the phone number themselves; null while the firm's number counts.
  phone_changed_at timestamptz(3),
  -- The number that the firm's system last sent, while the client has changed theirs: their own number then stays.
  -- Null if it sent none.
  replaced_feed_phone text,
  -- The number before the client's changes of the last days, so that a thief's number is not called back.
  former_phone text,
  -- What the client set in the changes of the last days; a null in it is a removal. If the firm's system has copied
  -- one of them, it is not a number of the firm.
  recent_phones text[] not null default '{}'[]
);
create unique index clients_email on clients (lower(email));
create index clients_erased on clients (erased_at) where erased_at is not null;
create index clients_unrestored on clients (id) where unrestored_email is not null;
create trigger clients_broadcast after update on clients for each row when (old.title is distinct from new.title
  or old.first_name is distinct from new.first_name or old.last_name is distinct from new.last_name
  or old.email is distinct from new.email or old.phone is distinct from new.phone
  or old.active_case_id is distinct from new.active_case_id) execute function broadcast_client();
create trigger clients_phone_change after update of phone_changed_at on clients
  for each row when (new.phone_changed_at is distinct from old.phone_changed_at
  and new.phone_changed_at is not null) execute function record_phone_change();
create trigger clients_summary_update after update on clients
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_renamed();

-- When operations that have to happen regularly last succeeded, for the metrics, and how far the audit log was
-- verified and archived then.
create table completed_operations (
  operation text primary key check (operation in ('backup', 'audit_verification', 'audit_archive')),
  completed_at timestamptz(3) not null,
  -- The last entry of the audit log; null for a backup, and for an empty log.
  "position" bigint,
  hash bytea check (length(hash) = 32),
  constraint completed_operations_check check (("position" is null) = (hash is null)),
  constraint completed_operations_position_check check ("position" > 0)
);

-- A client's whole file: one or more matters, such as a sale and the purchase that depends on it.
create table conveyancing_cases (
  id uuid primary key,
  reference text not null unique,
  title text not null,
  status text not null check (status in ('active', 'on_hold', 'completed', 'abandoned')),
  handlers jsonb not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3),
  -- When a case was last completed or abandoned; null while it is open.
  closed_at timestamptz(3),
  -- The clients' right to cancel the firm's services: none if they are no consumers or signed at the office.
  cancellation text not null default 'unknown' check (cancellation in ('none', 'ends_on', 'unknown')),
  -- The last day of the right to cancel.
  cancellation_ends_on date,
  -- Whether the firm gave the notice of the right to cancel and the cost of an early start; without it the period is
  -- unknown.
  cancellation_notice_given boolean not null default false,
  constraint conveyancing_cases_cancellation_day_check check ((cancellation = 'ends_on') = (cancellation_ends_on is
    not null)),
  constraint conveyancing_cases_cancellation_notice_check check ((cancellation = 'ends_on') =
    cancellation_notice_given)
);
create index conveyancing_cases_closed_at on conveyancing_cases (closed_at) where closed_at is not null;
create trigger conveyancing_cases_broadcast_insert after insert on conveyancing_cases
  referencing new table as rows_after for each statement execute function broadcast_changed_rows('CaseUpdated', '');
create trigger conveyancing_cases_broadcast_update after update on conveyancing_cases
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');
create trigger conveyancing_cases_summary_insert after insert on conveyancing_cases
  referencing new table as rows_after for each statement execute function summarise_changed_cases();
create trigger conveyancing_cases_summary_update after update on conveyancing_cases
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_changed_cases();

-- What staff decided about an item of Today. The items themselves are derived from the data and never stored.
create table desk_items (
  kind text not null,
  subject_id uuid not null,
  -- The row is about the item with this occasion only: a later one of the same subject starts without it.
  occasion text not null,
  version integer not null check (version > 0),
  assigned_to uuid references staff on delete restrict,
  snoozed_until date,
  done_at timestamptz(3),
  -- Null if no member of staff changed it.
  changed_by uuid references staff on delete restrict,
  changed_at timestamptz(3) not null,
  constraint desk_items_pkey primary key (kind, subject_id)
);
create trigger desk_items_broadcast after insert or delete or update on desk_items
  for each statement execute function broadcast_to_desk();

-- Until when each provider was asked for new disputes, warnings and reviews.
create table dispute_lookups (
  provider text not null,
  subject text not null check (subject in ('dispute', 'fraud_warning', 'review')),
  looked_at timestamptz not null,
  constraint dispute_lookups_pkey primary key (provider, subject)
);

-- The reminders of a deadline that were sent, or covered by a later one.
create table dispute_reminders (
  dispute_id uuid not null references disputes on delete cascade,
  due_by timestamptz not null,
  -- Days before the deadline; 0 once it has passed.
  days integer not null check (days in (0, 1, 3, 7)),
  sent_at timestamptz not null,
  constraint dispute_reminders_pkey primary key (dispute_id, due_by, days)
);

-- Each dispute of a payment at the payer's bank.
create table disputes (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_dispute_id text not null,
  -- The bank only asks so far, and has taken no money. An inquiry is not shown as a dispute.
  is_inquiry boolean not null,
  status text not null check (status in ('needs_response', 'under_review', 'closed')),
  outcome text check (outcome in ('won', 'lost', 'inquiry_closed', 'prevented')),
  -- The provider's category.
  reason text not null,
  reason_code text,
  -- Pence.
  amount integer not null check (amount > 0),
  opened_at timestamptz not null,
  evidence_due_by timestamptz,
  -- How often evidence was submitted.
  submissions integer not null default 0 check (submissions >= 0),
  submitted_at timestamptz,
  -- When it was first known to be closed.
  closed_at timestamptz,
  -- Pence that the bank has taken from the firm.
  withdrawn_amount integer not null default 0 check (withdrawn_amount >= 0),
  withdrawn_at timestamptz,
  reinstated_amount integer not null default 0 check (reinstated_amount >= 0),
  reinstated_at timestamptz,
  -- When the provider was asked for this state. An answer to an earlier question is stale.
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint disputes_outcome check ((status = 'closed') = (outcome is not null)
    and (status = 'closed') = (closed_at is not null)),
  constraint disputes_provider_provider_dispute_id_key unique (provider, provider_dispute_id)
);
create index disputes_open on disputes (evidence_due_by) where status <> 'closed';
create index disputes_payment on disputes (payment_id);
create trigger disputes_client_change_insert after insert on disputes for each row
  execute function record_disputed_change();
create trigger disputes_client_change_update after update on disputes for each row when (old.status <> 'closed'
  and new.status = 'closed') execute function record_disputed_change();

-- When a client was first sent the file of a document. `document_reads` only has those that were opened on its page.
create table document_deliveries (
  document_id uuid not null references documents on delete cascade,
  client_id uuid not null references clients on delete cascade,
  delivered_at timestamptz(3) not null,
  constraint document_deliveries_pkey primary key (document_id, client_id)
);

-- When a client first opened a document on its page.
create table document_reads (
  document_id uuid not null references documents on delete cascade,
  client_id uuid not null references clients on delete cascade,
  read_at timestamptz not null default now(),
  constraint document_reads_pkey primary key (document_id, client_id)
);
create trigger document_reads_broadcast after insert on document_reads for each row
  execute function broadcast_task_read();
create trigger document_reads_client_change after insert on document_reads for each row
  execute function record_read_change();

-- Each signature: what a client signed, when and how, as a record that can be proven unaltered later.
create table document_signatures (
  id uuid primary key,
  document_id uuid not null references documents on delete restrict,
  -- 1 for the first signature of its document. Each is chained to the one before.
  "position" integer not null,
  client_id uuid not null references clients on delete restrict,
  name text not null,
  method text not null check (method in ('typed', 'drawn')),
  drawing jsonb,
  -- The statement that the client ticked.
  consent text not null,
  -- To the millisecond, because the seal covers no further digits.
  signed_at timestamptz(3) not null,
  address text not null,
  -- Of the file that was signed.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- HMAC-SHA256 over the columns before and the MAC of the previous signature: see signature-record.ts.
  mac bytea not null check (octet_length(mac) = 32),
  -- How the signer had signed in; null for signatures with the first version of the seal.
  signed_in_with text,
  -- How the signer confirmed their identity; null if they were not asked to.
  confirmed_with text,
  confirmed_at timestamptz(3),
  constraint document_signatures_check check ((method = 'drawn') = (drawing is not null)),
  constraint document_signatures_confirmed check ((confirmed_at is null) = (confirmed_with is null)),
  constraint document_signatures_document_id_client_id_key unique (document_id, client_id),
  constraint document_signatures_document_id_position_key unique (document_id, "position"),
  constraint document_signatures_position_check check ("position" >= 1)
);
create index document_signatures_age on document_signatures (signed_at);
create trigger document_signatures_append_only before delete or update or truncate on document_signatures
  for each statement execute function refuse_change();
create trigger document_signatures_broadcast after insert on document_signatures for each row
  execute function broadcast_signature();
create trigger document_signatures_client_change after insert on document_signatures for each row
  execute function record_signed_change();

-- Files that the firm shares with the clients of a case. The content is in the document store, by its SHA-256.
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
  -- How clients sign it; null if they need not.
  signing text check (signing in ('simple', 'deed', 'wet_ink')),
  -- When a signature commits its signers; null if it never does.
  binds_on text check (binds_on in ('signature', 'exchange', 'completion')),
  -- When the firm received the signed paper.
  received_on date,
  feed_sent_at timestamptz(3),
  -- A document that was shared by mistake. Clients can no longer open it; staff still can.
  withdrawn_at timestamptz(3),
  -- Whether clients confirm their identity when they sign the document.
  confirm_identity boolean not null default false,
  -- The signed originals that the firm has received: the client_id of the signer, and received_on.
  originals jsonb not null default '[]',
  -- The only client who can see it; null for everyone on the case.
  for_client_id uuid references clients on delete restrict,
  constraint documents_check check (binds_on is null or signing is not null),
  constraint documents_check1 check (received_on is null or (signing in ('deed', 'wet_ink')))
);
create index documents_for_client on documents (for_client_id) where for_client_id is not null;
create index documents_matter on documents (matter_id);
create index documents_on_paper on documents (shared_at) where (signing in ('deed', 'wet_ink'))
  and received_on is null;
create index documents_sha256 on documents (sha256);
-- From a document to the version that took its place.
create index documents_supersedes on documents (supersedes_id);
create trigger documents_broadcast_insert after insert on documents referencing new table as rows_after
  for each statement execute function broadcast_changed_rows('DocumentShared', '');
create trigger documents_broadcast_update after update on documents
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('DocumentShared', '');
create trigger documents_release_files after delete on documents for each row execute function release_unused_files();
create trigger documents_unused_file after update of sha256 on documents
  for each row when (old.sha256 <> new.sha256) execute function note_unused_file();

-- The card's bank suspects fraud, before any dispute.
create table early_fraud_warnings (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_warning_id text not null,
  fraud_type text not null,
  -- A refund would still prevent a dispute.
  is_actionable boolean not null,
  warned_at timestamptz not null,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint early_fraud_warnings_provider_provider_warning_id_key unique (provider, provider_warning_id)
);
create index early_fraud_warnings_payment on early_fraud_warnings (payment_id);

-- Changes of email addresses that clients have started themselves, the latest of each client. Only the SHA-256 of the
-- tokens is stored: one is mailed to the new address and makes the change, the other to the former one and undoes it.
create table email_changes (
  client_id uuid primary key references clients on delete cascade,
  email text not null check (length(email) >= 3 and length(email) <= 320),
  former_email text not null,
  -- Null until its mail is sent.
  confirm_hash bytea check (octet_length(confirm_hash) = 32) unique,
  stop_hash bytea check (octet_length(stop_hash) = 32) unique,
  created_at timestamptz(3) not null,
  -- The new address can be confirmed until then.
  expires_at timestamptz(3) not null,
  -- The former address can stop the change until then, or undo it.
  stoppable_until timestamptz(3) not null,
  confirmed_at timestamptz(3),
  new_confirmed_at timestamptz(3),
  former_confirmed_at timestamptz(3)
);

-- Files to remove from the store of documents once the erasure is committed.
create table erased_files (
  erasure_id bigint not null references erasures on delete restrict,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- 'kept': another record has the same file.
  state text not null default 'waiting' check (state in ('waiting', 'removed', 'kept')),
  finished_at timestamptz(3),
  constraint erased_files_check check ((state = 'waiting') = (finished_at is null)),
  constraint erased_files_pkey primary key (erasure_id, sha256)
);
create index erased_files_waiting on erased_files (erasure_id) where state = 'waiting';
create trigger erased_files_kept before delete or truncate on erased_files for each statement
  execute function refuse_change();

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
create trigger erased_payments_append_only before delete or update or truncate on erased_payments
  for each statement execute function refuse_change();

-- How many rows of each table an erasure deleted.
create table erased_rows (
  erasure_id bigint not null references erasures on delete restrict,
  table_name text not null,
  row_count bigint not null,
  constraint erased_rows_pkey primary key (erasure_id, table_name)
);
create trigger erased_rows_append_only before delete or update or truncate on erased_rows
  for each statement execute function refuse_change();

-- The end of the chain of signatures on each erased document.
create table erased_signatures (
  document_id uuid primary key,
  erasure_id bigint not null references erasures on delete restrict,
  signatures integer not null,
  last_mac bytea not null
);
create trigger erased_signatures_append_only before delete or update or truncate on erased_signatures
  for each statement execute function refuse_change();

-- Each erasure of a case or a client, without personal data.
create table erasures (
  -- The number by which reports and messages name it.
  id bigint generated always as identity primary key,
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
  -- With the start of the transaction it names the transaction, also in a restored database, whose transactions are
  -- counted from the start.
  transaction_id xid8 not null default pg_current_xact_id(),
  opened_at timestamptz not null default transaction_timestamp()
);
create index erasures_reference on erasures (reference_hash);
create index erasures_subject on erasures (subject_id);
create index erasures_transaction on erasures (transaction_id);
create trigger erasures_append_only before delete or update or truncate on erasures
  for each statement execute function refuse_change();
create trigger erasures_check before insert on erasures for each row execute function refuse_erasure_under_hold();
create trigger erasures_during_payment before insert on erasures for each row when (new.subject_kind = 'client'
  and new.basis <> 'restored') execute function refuse_erasure_during_payment();

-- Large batches that were sent over HTTP: the records are in a folder of the server that imports them. Kept for a
-- week.
create table feed_batches (
  id uuid primary key,
  key_id uuid not null references feed_keys on delete restrict,
  state text not null check (state in ('waiting', 'importing', 'done', 'failed')),
  records integer not null,
  -- Records that are imported, left alone or rejected so far.
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  -- The first rejected records, with their lines and reasons.
  rejections jsonb not null default '[]',
  -- Why it failed.
  reason text,
  received_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- When its server last reported that it still has the records.
  alive_at timestamptz(3) not null default now(),
  constraint feed_batches_check check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index feed_batches_age on feed_batches (received_at);

-- Files of documents that were sent over HTTP, until the record of their document is stored. The content is in the
-- store of documents.
create table feed_files (
  reference text primary key check (length(reference) >= 1 and length(reference) <= 100),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  media_type text not null,
  sent_at timestamptz(3) not null
);
create trigger feed_files_replaced_file after update of sha256 on feed_files
  for each row when (old.sha256 <> new.sha256) execute function note_unused_file();
create trigger feed_files_unused_file after delete on feed_files for each row execute function note_unused_file();

-- The secrets of a key: one, and during a rotation two. Only their SHA-256 is stored.
create table feed_key_secrets (
  hash bytea primary key check (octet_length(hash) = 32),
  key_id uuid not null references feed_keys on delete restrict,
  created_at timestamptz(3) not null,
  -- Set when the key is rotated: the end of the overlap.
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index feed_key_secrets_key on feed_key_secrets (key_id);

-- Keys with which a firm's systems call the feed over HTTP. Rows are kept, because the audit log names keys by id.
create table feed_keys (
  id uuid primary key,
  name text not null check (length(name) >= 1 and length(name) <= 200),
  -- Such as 'clients:write'.
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create trigger feed_keys_kept before delete or truncate on feed_keys for each statement
  execute function refuse_change();

-- Requests of feed keys with an Idempotency-Key: the same request gets the same answer. Kept for a day.
create table feed_requests (
  key_id uuid not null references feed_keys on delete restrict,
  idempotency_key text not null check (length(idempotency_key) >= 1 and length(idempotency_key) <= 255),
  -- SHA-256 of everything that decides what the request does.
  content_hash bytea not null check (octet_length(content_hash) = 32),
  created_at timestamptz(3) not null,
  -- Null while the request is in progress.
  answer json,
  constraint feed_requests_pkey primary key (key_id, idempotency_key)
);
create index feed_requests_age on feed_requests (created_at);

-- Files that are being stored and recorded. An erasure does not remove them meanwhile. Rows of servers that ended
-- before they recorded a file expire after a day.
create table file_reservations (
  id uuid not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  reserved_at timestamptz(3) not null default now(),
  constraint file_reservations_pkey primary key (id, sha256)
);
create index file_reservations_age on file_reservations (reserved_at);
create index file_reservations_sha256 on file_reservations (sha256);

-- What the firm edits at the desk: every version of it. The highest is the current one, and the first is what Keyturn
-- ships.
create table firm_data (
  kind text not null,
  version integer not null check (version > 0),
  value jsonb not null,
  changed_at timestamptz(3) not null default now(),
  -- The name of the staff member at the time; null: as Keyturn ships it.
  changed_by text,
  constraint firm_data_pkey primary key (kind, version)
);
create trigger firm_data_append_only before delete or update or truncate on firm_data
  for each statement execute function refuse_change();
create trigger firm_data_shown_firm after insert on firm_data
  for each row when (new.kind in ('bank_holidays', 'payment_rules')) execute function derive_shown_firm_again();

-- Logos, by the SHA-256 of their file.
create table firm_logos (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text not null check (media_type in ('image/png', 'image/webp')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  content bytea not null,
  created_at timestamptz(3) not null default now()
);

-- What has happened in a case, as clients read it.
create table history_entries (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  reference text unique,
  occurred_at timestamptz not null,
  category text not null check (category in ('milestone', 'search', 'document', 'payment', 'message', 'case')),
  actor text not null,
  summary text not null,
  link text,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3)
);
create index history_entries_newest on history_entries (case_id, occurred_at desc, id desc);
create trigger history_entries_broadcast_insert after insert on history_entries
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('HistoryRecorded', '');
create trigger history_entries_broadcast_update after update on history_entries
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('HistoryRecorded', '');
create trigger history_entries_summary_delete after delete on history_entries
  referencing old table as rows_before for each statement execute function summarise_cases_of_history();
create trigger history_entries_summary_insert after insert on history_entries
  referencing new table as rows_after for each statement execute function summarise_cases_of_history();
create trigger history_entries_summary_update after update on history_entries
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_history();

-- Disputes, warnings and reviews of money that is not from this installation. Each is looked up once.
create table ignored_dispute_objects (
  provider text not null,
  object_id text not null,
  ignored_at timestamptz not null,
  constraint ignored_dispute_objects_pkey primary key (provider, object_id)
);

-- The one row about this installation.
create table installation (
  only_row boolean default true primary key check (only_row),
  -- Demonstration data is never mixed with real data.
  holds text not null default 'nothing' check (holds in ('nothing', 'demonstration', 'real')),
  firm jsonb,
  -- The key of signatures and seals. It never leaves the server.
  secret text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  updated_at timestamptz not null default now(),
  -- Whether the demonstration firm was loaded completely. Otherwise the next start loads it again.
  demonstration_complete boolean not null default false,
  -- Never changes, also in a copy of the database.
  installation_id uuid not null default gen_random_uuid(),
  -- The ids of the installations that this database is a copy of: keyturn payments new-installation gives a copy its
  -- own.
  former_installation_ids uuid[] not null default '{}',
  -- The firm as the case feed last sent it, so that the same feed again leaves changes of the desk alone.
  feed_firm jsonb,
  -- Increases with each change of the firm's details, also with those of the feed.
  firm_version integer not null default 1,
  firm_changed_at timestamptz(3) not null default now(),
  firm_changed_by text,
  -- The firm as clients get it, closed on bank holidays too. Every read of a case has it, so it is stored when the
  -- firm or the bank holidays change, instead of derived for each read.
  shown_firm jsonb
);
create trigger installation_firm_version before update on installation
  for each row when (old.firm is distinct from new.firm) execute function count_firm_version();
create trigger installation_shown_firm before insert or update on installation for each row
  execute function derive_shown_firm();

-- Browsers on which a client has signed in: wrong passwords that others enter do not lock them out there.
create table known_devices (
  -- SHA-256 of the token in the device's cookie, which is not stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- Whether the device is known through a password link alone: its first sign-in is mailed to the client.
  awaits_sign_in boolean not null default false,
  constraint known_devices_pkey primary key (token_hash, client_id)
);
create index known_devices_age on known_devices (last_used_at);
create index known_devices_client on known_devices (client_id);

-- No retention rule and no erasure deletes what is under a hold.
create table legal_holds (
  id bigint generated always as identity primary key,
  subject_kind text not null check (subject_kind in ('case', 'client')),
  subject_id uuid not null,
  -- Emptied when the subject is erased.
  reason text not null check (length(reason) <= 500),
  placed_at timestamptz(3) not null,
  placed_by text not null,
  released_at timestamptz(3),
  released_by text,
  -- Null for a hold without a reason for its release. An erasure removes it.
  release_reason text check (length(release_reason) <= 500),
  constraint legal_holds_check check ((released_at is null) = (released_by is null))
);
create unique index legal_holds_open on legal_holds (subject_kind, subject_id) where released_at is null;
create index legal_holds_subject on legal_holds (subject_id);
create trigger legal_holds_check before update on legal_holds for each row execute function check_hold_change();
create trigger legal_holds_kept before delete or truncate on legal_holds for each statement
  execute function refuse_change();

-- Failed sign-ins of the last minutes, by email and by address (SHA-256 of each: no personal data is kept).
create table login_failures (
  id bigint generated always as identity primary key,
  subject bytea not null,
  failed_at timestamptz not null default now()
);
-- Failures are kept for 24 hours, and the oldest are deleted first.
create index login_failures_age on login_failures (failed_at);
create index login_failures_subject on login_failures (subject, failed_at);

-- One row for each part that is in maintenance.
create table maintenance (
  area text primary key check (area in ('general', 'case-history')),
  -- The firm's own text; null: the usual one.
  message text check (length(message) >= 1 and length(message) <= 500),
  -- When it is expected to end. It ends when it is switched off.
  until timestamptz,
  since timestamptz not null default now()
);
create trigger maintenance_broadcast after insert or delete or update on maintenance
  for each statement execute function broadcast_maintenance();

-- One transaction of a case: a sale, a purchase, a remortgage or a transfer of equity.
create table matters (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  reference text not null unique,
  matter_type text not null check (matter_type in ('sale', 'purchase', 'remortgage', 'transfer-of-equity')),
  status text not null check (status in ('active', 'on_hold', 'completed', 'abandoned')),
  property jsonb not null,
  target_exchange_on date,
  target_completion_on date,
  exchanged_on date,
  completed_on date,
  parties jsonb not null default '[]',
  "position" integer not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3),
  -- The version of its path that a matter has, so that a change of the path leaves running matters alone.
  path_version integer not null default 1,
  -- The deposit, who authorised the exchange and on which day; null if the exchange was not recorded with them.
  exchange jsonb,
  -- What makes the matter special, such as `leasehold`: steps of its path can be for these only.
  features text[] not null default '{}'[],
  -- The balances in the firm’s own ledger, in pence, and the day they are of; null if its system sends none.
  ledger jsonb
);
create index matters_case on matters (case_id);
create index matters_with_ledger on matters (((ledger ->> 'client')::bigint)) where ledger is not null;
create trigger matters_broadcast_insert after insert on matters referencing new table as rows_after
  for each statement execute function broadcast_changed_rows('CaseUpdated', '');
create trigger matters_broadcast_update after update on matters
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', 'ledger');
create trigger matters_summary_delete after delete on matters referencing old table as rows_before
  for each statement execute function summarise_cases_of_matters();
create trigger matters_summary_insert after insert on matters referencing new table as rows_after
  for each statement execute function summarise_cases_of_matters();
create trigger matters_summary_update after update on matters
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_matters();

-- The steps of a matter.
create table milestones (
  id uuid primary key,
  matter_id uuid not null references matters on delete cascade,
  key text not null,
  title text not null,
  explanation text not null,
  stage_title text not null,
  stage_position integer not null,
  key_moment boolean not null default false,
  actor text not null check (actor in ('you', 'us', 'other_side', 'third_party')),
  waiting_for text,
  status text not null check (status in ('done', 'current', 'upcoming', 'blocked', 'not_needed')),
  reached_on date,
  expected_from date,
  expected_to date,
  waiting_since date,
  usual_days_from integer,
  usual_days_to integer,
  next_update_by date,
  "position" integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the case feed last changed `waiting_for` or `waiting_since`. What clients have done since takes precedence.
  waiting_set_at timestamptz,
  -- Weeks after the instruction at which exchange and completion usually are, as the path of the matter says.
  usual_weeks_from integer,
  usual_weeks_to integer,
  -- The day of the figures in the usual times that the step has from its path; null without such times.
  figures_of date,
  constraint milestones_check check (expected_from <= expected_to),
  constraint milestones_check1 check (usual_days_from <= usual_days_to),
  constraint milestones_check2 check (usual_weeks_from <= usual_weeks_to),
  constraint milestones_matter_id_key_key unique (matter_id, key)
);
create trigger milestones_broadcast_delete after delete on milestones referencing old table as rows_before
  for each statement execute function broadcast_changed_rows('MilestoneReached');
create trigger milestones_broadcast_insert after insert on milestones referencing new table as rows_after
  for each statement execute function broadcast_changed_rows('MilestoneReached', '');
create trigger milestones_broadcast_update after update on milestones
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('MilestoneReached', '');
create trigger milestones_summary_delete after delete on milestones referencing old table as rows_before
  for each statement execute function summarise_cases_of_milestones();
create trigger milestones_summary_insert after insert on milestones referencing new table as rows_after
  for each statement execute function summarise_cases_of_milestones();
create trigger milestones_summary_update after update on milestones
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_milestones();

-- Messages between servers that are too long for NOTIFY.
create table oversized_messages (
  id bigint generated always as identity primary key,
  body text not null,
  created_at timestamptz not null default now()
);

-- Links that set a password: from an invitation, or for a forgotten one. Each works once.
create table password_links (
  -- SHA-256 of the token in the link, which is not stored.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  purpose text not null check (purpose in ('invitation', 'forgotten', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
-- Password links are deleted some time after they expired.
create index password_links_age on password_links (expires_at);
create index password_links_client on password_links (client_id, created_at);
create index password_links_unanswered on password_links (expires_at) where purpose = 'invitation'
  and used_at is null;

-- Started payments and declined cards, which are counted against card testing for each client and address. Deleted
-- after a day.
create table payment_attempts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('start', 'decline')),
  payment_id uuid not null references payments on delete cascade,
  client_id uuid not null references clients on delete cascade,
  -- SHA-256 of the part of the address that one attacker cannot change at will; null if it is unknown.
  address bytea check (octet_length(address) = 32),
  -- The provider's event that reported a decline; null if a check or the payer's own request found it first.
  provider_event_id text,
  happened_at timestamptz not null
);
create index payment_attempts_address on payment_attempts (address, kind, happened_at);
create index payment_attempts_age on payment_attempts (happened_at);
create index payment_attempts_client on payment_attempts (client_id, kind, happened_at);
create unique index payment_attempts_event on payment_attempts (payment_id, provider_event_id);
create index payment_attempts_payment on payment_attempts (payment_id);

-- The record: one row for each change of a payment, written by triggers and never changed.
create table payment_changes (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payments on delete restrict,
  from_status text,
  to_status text not null,
  cause text not null,
  provider_event_id text,
  failure_code text,
  -- Pence received (positive) or refunded (negative) by this change.
  money integer not null,
  recorded_at timestamptz not null default clock_timestamp(),
  -- The client who confirmed, if this change is a confirmation.
  confirmed_by uuid references clients on delete restrict,
  -- What the client confirmed, if this change is a confirmation.
  confirmed jsonb,
  -- After this change, as are the columns about the dispute.
  review_reason text,
  dispute_status text,
  dispute_amount integer,
  -- The address that the confirmation came from.
  confirmed_from text,
  -- The version of the text that the client confirmed.
  confirmed_wording text,
  -- The client who asked for the cancellation, if this change is one.
  cancelled_by uuid references clients on delete restrict,
  -- When the money cleared, if this change is the clearing.
  cleared_at timestamptz,
  -- The refund, if this change is one of a refund.
  refund_id uuid,
  refund_status text,
  refund_amount integer,
  -- When the firm offered the search again, if this change is that.
  search_released_at timestamptz,
  -- The allocation, if this change is one.
  allocation jsonb
);
create index payment_changes_allocation on payment_changes (payment_id, id) where allocation is not null;
create index payment_changes_payment on payment_changes (payment_id, id);
create trigger payment_changes_append_only before delete or update or truncate on payment_changes
  for each statement execute function refuse_change();
create trigger payment_changes_complete before insert on payment_changes for each row
  execute function complete_confirmation();
create trigger payment_changes_complete_refund before insert on payment_changes for each row
  execute function complete_refund_change();

-- The latest reconciliation of payments, for the desk.
create table payment_check_reports (
  only_row boolean default true primary key check (only_row),
  checked_at timestamptz not null,
  -- Payments and intents since then were compared with the provider.
  since timestamptz not null,
  payments integer not null,
  intents integer not null,
  discrepancies jsonb not null
);

-- Distinguishes a restored database from one that has continued. Servers compare the payments with the provider and
-- store here until when both agree; a restored database has an earlier time.
create table payment_continuity (
  only_row boolean default true primary key check (only_row),
  -- Increases with every comparison. A server that has seen a higher number is looking at a restored database.
  rounds bigint not null default 0,
  -- Until when every intent of the provider is known to have its payment in this database.
  checked_until timestamptz not null default now(),
  -- Since when no payment is accepted; null while payments are accepted.
  closed_at timestamptz,
  closed_reason text,
  -- Intents without a payment in this database that an operator has dealt with.
  left_intents text[] not null default '{}'[],
  constraint payment_continuity_check check ((closed_at is null) = (closed_reason is null))
);

-- Idempotency-Key of the calls that start a payment: the same content gets the same payment.
create table payment_idempotency_keys (
  client_id uuid not null references clients on delete cascade,
  key text not null,
  content_hash bytea not null,
  payment_id uuid not null references payments on delete cascade,
  created_at timestamptz not null default now(),
  constraint payment_idempotency_keys_pkey primary key (client_id, key)
);
create index payment_idempotency_keys_age on payment_idempotency_keys (created_at);

-- The payment links that the firm has mailed: which client was asked to pay for what, at which price, and when they
-- opened it. The link is no secret: it only works after the client has signed in.
create table payment_links (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
  case_id uuid not null references conveyancing_cases on delete cascade,
  case_search_id uuid references case_searches on delete cascade,
  bill_id uuid references bills on delete cascade,
  -- For money that is neither for a search nor for a bill.
  category text,
  description text not null,
  -- Pence, when the link was sent.
  amount integer not null check (amount > 0),
  -- The same request is mailed to a client once.
  request_key text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  message_id text,
  opened_at timestamptz,
  -- A withdrawn link leads to no payment, and says so.
  withdrawn_at timestamptz,
  constraint payment_links_check check (num_nonnulls(case_search_id, bill_id, category) = 1),
  constraint payment_links_client_id_request_key_key unique (client_id, request_key)
);
create index payment_links_of_case on payment_links (case_id, created_at);
create index payment_links_of_client on payment_links (client_id, created_at);

-- Each mail about a payment, written in the transaction that it reports.
create table payment_mails (
  payment_id uuid not null references payments on delete restrict,
  kind text not null check (kind in ('receipt', 'refund', 'refund_failed', 'not_paid')),
  -- Distinguishes mails of a kind: 1 for a receipt, the pence refunded so far for a refund, a count for failed
  -- payments.
  occasion integer not null,
  -- The client who confirmed last.
  client_id uuid not null references clients on delete restrict,
  -- The recipient.
  address text not null,
  written_at timestamptz not null,
  -- Null until the mail server has accepted it.
  sent_at timestamptz,
  message_id text,
  -- Pence that a mail about a refund reports; null for other mails.
  amount integer check (amount > 0),
  -- One mail for each refund that is made, and one for each that fails.
  refund_id uuid references refunds on delete restrict,
  constraint payment_mails_pkey primary key (payment_id, kind, occasion)
);
create unique index payment_mails_refund on payment_mails (kind, refund_id);

-- The allowed transitions; payment-states.ts has the same table, and a test compares them.
create table payment_transitions (
  from_status text not null,
  to_status text not null,
  constraint payment_transitions_pkey primary key (from_status, to_status)
);

-- Each payment of a client, from its start.
create table payments (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete restrict,
  -- The client who started it.
  client_id uuid not null references clients on delete restrict,
  kind text not null check (kind in ('search', 'other')),
  status text not null,
  amount integer not null check (amount > 0),
  currency text not null default 'gbp' check (currency = 'gbp'),
  description text not null,
  category text not null,
  reference text,
  matter_id uuid references matters on delete restrict,
  case_search_id uuid references case_searches on delete restrict,
  lines jsonb not null,
  provider text not null check (provider in ('sandbox', 'stripe', 'stripe_business')),
  -- Null until the provider has answered the first call. The idempotency key makes that call safe to repeat.
  provider_intent_id text,
  provider_idempotency_key text not null unique,
  -- The latest known revision of the intent, where the provider counts its changes.
  provider_revision integer,
  order_now boolean,
  order_now_at timestamptz,
  own_card boolean,
  payer_name text,
  receipt_email text,
  receipt_number text unique,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  failure_code text,
  refunded_amount integer not null default 0,
  paid_at timestamptz,
  -- Why the last change was made. A trigger copies this and the event into the record.
  last_cause text not null,
  last_provider_event_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The client who confirmed last; null: the client who started it.
  confirmed_by uuid references clients on delete restrict,
  -- When the catch-up next asks the provider about it, while it is open.
  next_check_at timestamptz not null default now(),
  -- Why the payment needs manual review, such as an intent with another amount; null if it does not.
  review_reason text,
  -- The latest dispute of the payer's bank, as the provider reports it; null without a dispute.
  dispute_status text check (dispute_status in ('inquiry', 'open', 'won', 'lost')),
  dispute_amount integer check (dispute_amount > 0),
  dispute_opened_at timestamptz,
  -- The client who last requested the intent to pay it.
  last_payer_id uuid references clients on delete restrict,
  -- The address that the request of `last_payer_id` came from.
  last_payer_address text,
  -- Which text the client who confirmed last had read: a version of payment-wording.ts.
  wording text,
  -- The client who last asked to cancel it while it was open; null for payments that expired.
  cancel_requested_by uuid references clients on delete restrict,
  -- The day in London on which the provider makes the money available to the firm; null until it is known.
  clears_on date,
  -- When the provider first reported the money as available.
  cleared_at timestamptz,
  -- Pence of refunds that failed, out of all refunds that were ever made. It never decreases.
  failed_refund_amount integer not null default 0 check (failed_refund_amount >= 0),
  -- The refund that the last change of the totals was about, for the record.
  last_refund_id uuid references refunds on delete restrict,
  -- When the firm offered the search again after a full refund: another payment may pay for it.
  search_released_at timestamptz,
  -- The provider's account that has the intent, such as acct_1ABC; null for payments without an intent.
  provider_account_id text,
  -- The bill that it pays; null for all other money.
  bill_id uuid references bills,
  -- How the payer's statement shows the payment, according to the provider; null if no money moved.
  statement_descriptor text,
  -- The firm when the payment was made, for its VAT receipt: name, address and VAT number. Null for unpaid payments.
  supplier jsonb,
  -- The wallet that contains the card; null for a card that was typed in.
  card_wallet text check (card_wallet in ('apple_pay', 'google_pay')),
  -- Part of what the provider's intent was created with, so it never changes: a client who chooses another method
  -- starts another payment.
  method text not null default 'card' check (method in ('card', 'bank')),
  -- What the firm found out about the person whose card paid, if it is not the client's; null until it is recorded.
  payer_check jsonb,
  -- Pence of its bill that were left after it was paid; null for other money, and before it is paid.
  bill_left integer check (bill_left >= 0),
  -- The version of order-wording.ts in which the client asked for the search to be ordered; null without such a
  -- request.
  order_wording text,
  -- The words of that request as the client was shown them, with the refund rule.
  order_words text,
  -- How much of the payment repays the firm, who decided that, when and why; null before the money of a search has
  -- cleared.
  allocation jsonb,
  constraint payments_allocation check (((allocation ->> 'office')::integer) >= 0
    and ((allocation ->> 'office')::integer) <= amount),
  -- A payment by bank has no card, and its account is the client's own.
  constraint payments_by_bank_have_no_card check (method = 'card' or card_brand is null and card_last4 is null
    and own_card is not false),
  constraint payments_check check (refunded_amount >= 0 and refunded_amount <= amount),
  constraint payments_check1 check ((kind = 'search') = (case_search_id is not null)),
  constraint payments_check2 check ((status in ('succeeded', 'partially_refunded', 'refunded')) = (paid_at is not
    null)),
  constraint payments_check3 check ((status = 'partially_refunded') = (refunded_amount > 0
    and refunded_amount < amount)),
  constraint payments_check4 check ((status = 'refunded') = (refunded_amount = amount)),
  constraint payments_cleared check (cleared_at is null or paid_at is not null and clears_on is not null),
  constraint payments_dispute check ((dispute_status is null) = (dispute_amount is null)
    and (dispute_status is null) = (dispute_opened_at is null)),
  constraint payments_provider_provider_intent_id_key unique (provider, provider_intent_id)
);
create index payments_awaiting_payer_check on payments (paid_at) where own_card is false and payer_check is null;
create index payments_case on payments (case_id);
-- The desk lists all payments, newest first.
create index payments_newest on payments (created_at desc, id desc);
create index payments_of_bill on payments (bill_id) where bill_id is not null;
-- A search is charged at most once, until the firm has refunded it and offers it again.
create unique index payments_one_per_search on payments (case_search_id) where status <> 'cancelled'
  and search_released_at is null;
create index payments_open_of_payer on payments (last_payer_id)
  where status in ('requires_payment_method', 'requires_action');
create index payments_to_check on payments (next_check_at)
  where status in ('requires_payment_method', 'requires_action', 'processing');
create index payments_to_clear on payments (next_check_at) where paid_at is not null and cleared_at is null
  and status <> 'refunded';
create index payments_to_review on payments (updated_at) where review_reason is not null;
create index payments_under_review on payments (case_search_id) where review_reason is not null;
create index payments_without_matter on payments (paid_at) where matter_id is null and bill_id is null
  and paid_at is not null;
create trigger payments_announce_change after update on payments for each row
  execute function announce_payment_change();
create trigger payments_check_transition before insert or update on payments for each row
  execute function check_payment_transition();
create trigger payments_kept before delete or truncate on payments for each statement
  execute function refuse_change();
create trigger payments_record_change after insert or update on payments for each row
  execute function record_payment_change();

-- What a provider has paid into the firm's bank account.
create table payouts (
  provider text not null,
  payout_id text not null,
  -- Pence; negative if the provider collected money from the bank account.
  amount integer not null,
  currency text not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  -- The day in London on which it reaches the bank account.
  arrives_on date not null,
  created_at timestamptz not null,
  -- Whether the provider says which movements it contains.
  is_itemised boolean not null,
  -- When it was stored which movements it contains.
  itemised_at timestamptz,
  -- The day of the bank statement with it; null until finance has found it there, and again if the bank returns it.
  matched_on date,
  matched_by text,
  matched_by_staff uuid,
  -- Pence to move from the business account to the client account, negative for the other way; null until it is known
  -- what the payout contains.
  to_transfer integer,
  -- The day on which the firm moved that to the client account; null until finance has recorded it.
  transferred_on date,
  transferred_by text,
  transferred_by_staff uuid,
  -- Whether it was made before Keyturn recorded matches, so that a missing one means nothing.
  precedes_matching boolean not null default false,
  -- Pence that the firm had moved to the client account before the sum to move changed; negative for the other way.
  moved integer not null default 0,
  constraint payouts_pkey primary key (provider, payout_id)
);
create index payouts_to_settle on payouts (arrives_on) where not precedes_matching and transferred_on is null;
create trigger payouts_broadcast after update on payouts for each row execute function broadcast_payout();
create trigger payouts_withdraw_match before update on payouts for each row execute function withdraw_match();

-- Which of the firm's bank accounts each account at the provider pays into, by the name of the provider: recorded
-- with the first payment there, so that swapped keys are noticed before any money reaches the wrong bank account.
create table provider_accounts (
  account_id text primary key,
  provider text not null,
  recorded_at timestamptz not null
);

-- What a provider reported, stored before it is processed, so that a repeated delivery is recognised.
create table provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  intent_id text,
  body jsonb not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  -- 'stale': an older state; 'ignored': a type that is not processed; 'unmatched': no such payment yet; 'mismatched':
  -- amount, currency or metadata differ and need manual review.
  outcome text check (outcome in ('applied', 'stale', 'ignored', 'unmatched', 'mismatched')),
  next_check_at timestamptz not null default now(),
  constraint provider_events_pkey primary key (provider, event_id)
);
create index provider_events_to_check on provider_events (next_check_at) where outcome is null
  or outcome = 'unmatched';

-- The provider asks the firm to check a payment for fraud.
create table provider_reviews (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  provider text not null,
  provider_review_id text not null,
  is_open boolean not null,
  opened_reason text not null,
  closed_reason text,
  opened_at timestamptz not null,
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint provider_reviews_provider_provider_review_id_key unique (provider, provider_review_id)
);
create index provider_reviews_payment on provider_reviews (payment_id);

-- Quiet steps; a row without a milestone makes the whole case quiet. No reason is stored.
create table quiet_steps (
  case_id uuid not null references conveyancing_cases on delete cascade,
  milestone_id uuid references milestones on delete cascade,
  constraint quiet_steps_case_id_milestone_id_key unique nulls not distinct (case_id, milestone_id)
);
create index quiet_steps_milestone on quiet_steps (milestone_id);

-- The last receipt number of each year, counted in the transaction that uses it, so that a rollback leaves no gap.
create table receipt_counters (
  year integer primary key,
  last integer not null check (last > 0)
);

-- The PDF of each receipt, made once: a payment has another one after each refund, when its money has cleared, and
-- when the day changes on which it clears.
create table receipt_files (
  payment_id uuid not null references payments on delete restrict,
  -- Pence, as the receipt shows.
  refunded_amount integer not null check (refunded_amount >= 0),
  is_cleared boolean not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  made_at timestamptz not null,
  clears_on date,
  -- The refunds as the receipt shows them.
  refunds text not null default '',
  -- A receipt of disputed money says so.
  dispute text not null default 'none' check (dispute in ('none', 'inquiry', 'open', 'lost')),
  constraint receipt_files_facts unique nulls not distinct (payment_id, refunded_amount, is_cleared, clears_on,
    refunds, dispute)
);
create index receipt_files_sha256 on receipt_files (sha256);
create trigger receipt_files_append_only before delete or update or truncate on receipt_files
  for each statement execute function refuse_change();

-- Until when the refunds at a provider were listed, which finds those whose webhooks were lost.
create table refund_checks (
  provider text primary key,
  listed_until timestamptz not null
);

-- The allowed changes; refund-states.ts has the same table, and a test compares them.
create table refund_transitions (
  from_status text not null,
  to_status text not null,
  constraint refund_transitions_pkey primary key (from_status, to_status)
);

-- Each refund of a payment, with its status at the provider.
create table refunds (
  id uuid primary key,
  payment_id uuid not null references payments on delete restrict,
  -- Null until the provider has created the refund.
  provider_refund_id text,
  amount integer not null check (amount > 0),
  status text not null check (status in ('awaiting_approval', 'approved', 'rejected', 'pending', 'requires_action',
    'succeeded', 'failed', 'cancelled')),
  -- The provider's code.
  reason text,
  -- The reason in the words of staff. Clients never see it.
  note text,
  requested_by text,
  -- The second person, who is never the first.
  approved_by text,
  -- The key of the command that requested it: the same command makes no second refund.
  request_key text,
  -- The key that the provider is called with.
  provider_idempotency_key text unique,
  -- The provider's code for a refund that failed or was cancelled, or why a request was rejected.
  failure_reason text,
  last_cause text not null,
  last_provider_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it failed or was cancelled.
  failed_at timestamptz,
  -- Refunds that staff request and approve at the desk name them by id: a name can be changed, and two people can
  -- share one.
  requested_by_staff uuid references staff on delete restrict,
  -- The role at the time, which limited the amount.
  requested_by_role text check (requested_by_role in ('handler', 'finance', 'admin')),
  approved_by_staff uuid references staff on delete restrict,
  -- held: not paid out of the client account; spent: all or a part was; firm: it was the firm's. As the person who
  -- asked for the refund said; null if no one was asked.
  money_state text check (money_state in ('held', 'spent', 'firm')),
  -- Pence of it that are the firm's money, the rest is client money; null if no one said, and then the rule decides.
  office integer,
  constraint refunds_check1 check ((status not in ('awaiting_approval', 'approved', 'rejected'))
    or provider_refund_id is null),
  constraint refunds_check2 check ((status in ('awaiting_approval', 'approved', 'rejected'))
    or provider_refund_id is not null),
  constraint refunds_check3 check ((status in ('failed', 'cancelled')) = (failed_at is not null)),
  constraint refunds_check4 check ((requested_by_staff is null) = (requested_by_role is null)),
  constraint refunds_check5 check (requested_by_staff is null or requested_by is not null),
  constraint refunds_check6 check (approved_by_staff is null or approved_by is not null),
  constraint refunds_office check (office >= 0 and office <= amount),
  constraint refunds_payment_id_provider_refund_id_key unique (payment_id, provider_refund_id),
  constraint refunds_payment_id_request_key_key unique (payment_id, request_key),
  constraint refunds_two_people check ( case when requested_by_staff is not null
    and approved_by_staff is not null then requested_by_staff <> approved_by_staff else lower(btrim(approved_by)) <>
    lower(btrim(requested_by)) end)
);
create index refunds_open on refunds (created_at)
  where status in ('awaiting_approval', 'approved', 'pending', 'requires_action');
create trigger refunds_broadcast_update after update on refunds
  for each row when (new.status <> old.status) execute function broadcast_refund();
create trigger refunds_check_transition before update on refunds for each row
  execute function check_refund_transition();
create trigger refunds_client_change_failed after update on refunds for each row when (old.status = 'succeeded'
  and (new.status in ('failed', 'cancelled'))) execute function record_refunded_change();
create trigger refunds_client_change_insert after insert on refunds
  for each row when (new.status = 'succeeded') execute function record_refunded_change();
create trigger refunds_client_change_update after update on refunds for each row when (old.status <> 'succeeded'
  and new.status = 'succeeded') execute function record_refunded_change();
create trigger refunds_kept before delete or truncate on refunds for each statement execute function refuse_change();
create trigger refunds_record_change after insert or update on refunds for each row
  execute function record_refund_change();

-- Requests of the current window, counted for all servers together. Unlogged: after a crash all windows start again.
create unlogged table request_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);

-- How long records are kept after a case was closed. docs/retention.md has the sources of these periods, which are
-- usual in England and Wales.
create table retention_rules (
  kind text primary key check (kind in ('purchase', 'sale', 'remortgage', 'transfer-of-equity', 'abandoned',
    'payments', 'clients_without_cases')),
  months integer not null check (months >= 1 and months <= 1200),
  -- Whether the daily job deletes what is due. Otherwise it is only listed.
  deletes boolean not null default false,
  changed_at timestamptz(3),
  changed_by text
);

-- One row for each capture of money: proof that an intent is charged at most once.
create table sandbox_charges (
  id text primary key,
  intent_id text not null references sandbox_intents unique,
  amount integer not null,
  created_at timestamptz not null default now(),
  -- When the sandbox makes the money of a charge available.
  available_at timestamptz not null
);

-- The sandbox's disputes.
create table sandbox_disputes (
  id text primary key,
  intent_id text not null references sandbox_intents,
  status text not null check (status in ('needs_response', 'under_review', 'won', 'lost', 'warning_needs_response',
    'warning_under_review', 'warning_closed')),
  reason text not null,
  reason_code text,
  amount integer not null check (amount > 0),
  created_at timestamptz not null,
  due_by timestamptz not null,
  submissions integer not null default 0,
  withdrawn_at timestamptz,
  reinstated_at timestamptz
);
create index sandbox_disputes_intent on sandbox_disputes (intent_id);

-- Webhooks that the sandbox sends.
create table sandbox_events (
  id text primary key,
  intent_id text not null references sandbox_intents,
  type text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create index sandbox_events_due on sandbox_events (next_attempt_at) where delivered_at is null;

-- The sandbox's early fraud warnings.
create table sandbox_fraud_warnings (
  id text primary key,
  intent_id text not null references sandbox_intents,
  fraud_type text not null,
  created_at timestamptz not null
);
create index sandbox_fraud_warnings_intent on sandbox_fraud_warnings (intent_id);

-- The sandbox's payment intents.
create table sandbox_intents (
  id text primary key,
  idempotency_key text not null unique,
  client_secret text not null unique,
  amount integer not null,
  currency text not null,
  metadata jsonb not null,
  status text not null check (status in ('requires_payment_method', 'requires_action', 'processing', 'succeeded',
    'canceled')),
  -- How the bank will decide once the client has answered, or the delay has passed.
  pending_behaviour text,
  settles_at timestamptz,
  card_brand text,
  card_last4 text,
  error_code text,
  error_message text,
  version integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What a statement would show if the sandbox moved money.
  statement_descriptor text,
  method text not null default 'card',
  bank_token text unique,
  return_url text
);

-- The sandbox's refunds.
create table sandbox_refunds (
  id text primary key,
  intent_id text not null references sandbox_intents,
  idempotency_key text not null unique,
  amount integer not null check (amount > 0),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  reason text,
  failure_reason text,
  metadata jsonb not null,
  -- When the bank decides; null once it has.
  settles_at timestamptz,
  -- When the money left the balance; null while it has not.
  paid_out_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sandbox_refunds_of_intent on sandbox_refunds (intent_id);
create index sandbox_refunds_to_settle on sandbox_refunds (settles_at) where settles_at is not null;

-- The sandbox's reviews.
create table sandbox_reviews (
  id text primary key,
  intent_id text not null references sandbox_intents,
  is_open boolean not null,
  opened_reason text not null,
  closed_reason text,
  created_at timestamptz not null
);

create table schema_code (
  name text primary key,
  checksum text not null,
  version text not null
);

create table schema_migrations (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  oldest_build integer not null
);

-- Sessions of clients.
create table sessions (
  -- SHA-256 of the access token, which is not stored.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_id uuid not null references clients on delete cascade,
  created_at timestamptz not null default now(),
  -- The absolute end. The idle end is last_used_at plus the configured limit.
  expires_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- When the client last proved who they are: at sign-in, or for a change of how they sign in.
  confirmed_at timestamptz not null default now(),
  id uuid not null default gen_random_uuid(),
  -- The browser in plain words. Its own description is not stored.
  device text,
  signed_in_with text not null default 'password',
  -- When the client last confirmed their identity during the session. Unlike `confirmed_at`, the sign-in does not
  -- count.
  stepped_up_at timestamptz(3),
  stepped_up_with text,
  -- The known device on which a session was started, so that signing it out forgets the device. Null for older
  -- sessions.
  device_hash bytea check (octet_length(device_hash) = 32),
  constraint sessions_step_up check ((stepped_up_at is null) = (stepped_up_with is null))
);
create index sessions_client on sessions (client_id);
create index sessions_expiry on sessions (expires_at);
create unique index sessions_id on sessions (id);
create trigger sessions_broadcast_deleted after delete on sessions for each row when (old.revoked_at is null
  and old.expires_at > now()) execute function broadcast_ended_session();
create trigger sessions_broadcast_revoked after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function broadcast_ended_session();
create trigger sessions_of_enabled_clients before insert on sessions for each row
  execute function skip_session_of_disabled_client();

-- What all servers of this database share besides it: the document store, by its id, and KEYTURN_STAFF_KEY, by a
-- keyed hash. Null until a server has started.
create table shared_resources (
  only_row boolean default true primary key check (only_row),
  document_store_id uuid,
  staff_key_hash bytea check (octet_length(staff_key_hash) = 32)
);

-- When a client was last mailed about a run of wrong passwords.
create table sign_in_warnings (
  client_id uuid primary key references clients on delete cascade,
  warned_at timestamptz not null
);

-- The PDF that was made of a document with all signatures up to this one.
create table signed_files (
  signature_id uuid primary key references document_signatures on delete restrict,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  made_at timestamptz(3) not null,
  mac bytea not null check (octet_length(mac) = 32)
);
create index signed_files_sha256 on signed_files (sha256);
create trigger signed_files_append_only before delete or update or truncate on signed_files
  for each statement execute function refuse_change();

-- The cells of each imported case, as hashes, so that only what has changed in the spreadsheet since is imported
-- again.
create table spreadsheet_cases (
  reference text primary key check (length(reference) <= 100),
  cells jsonb not null,
  imported_at timestamptz(3) not null default now()
);

-- What a column with a heading contained in the last import; null: it was left out. Headings without case and
-- punctuation.
create table spreadsheet_headings (
  heading text primary key check (length(heading) <= 100),
  field text,
  used_at timestamptz(3) not null default now()
);

-- Spreadsheets that staff import. The file is kept until it is imported, and for an hour at most; its result for a
-- day.
create table spreadsheets (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  file_name text not null,
  content bytea,
  -- Headings, the first cells below them, and what they contain.
  columns jsonb not null,
  row_count integer not null,
  state text not null check (state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'failed')),
  -- Cases that were checked or imported so far, and how many rows they have.
  done integer not null default 0,
  done_rows integer not null default 0,
  report jsonb,
  -- Rows that were not imported, with the reasons.
  rejected_csv text,
  -- Why nothing could be imported.
  failure text,
  -- IP address from which the check or the import was started.
  address text,
  -- When the import started: a case that is newer was created by it.
  started_at timestamptz(3),
  -- Clients of the imported cases who had neither a password nor an invitation, and how many have been invited.
  new_clients uuid[] not null default '{}',
  invited integer not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index spreadsheets_age on spreadsheets (expires_at);
create index spreadsheets_member on spreadsheets (staff_id, created_at);

-- Staff of the firm. Rows are kept, because the audit log names staff by id.
create table staff (
  id uuid primary key,
  email text not null check (length(email) >= 3 and length(email) <= 320),
  name text check (length(name) >= 1 and length(name) <= 200),
  role text not null check (role in ('handler', 'finance', 'admin')),
  state text not null check (state in ('invited', 'active', 'disabled')),
  password_hash text,
  -- When the invitation was accepted; null again after a reset.
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint staff_check check (state <> 'active' or name is not null and password_hash is not null
    and accepted_at is not null)
);
create unique index staff_email on staff (lower(email));
create trigger staff_kept before delete or truncate on staff for each statement execute function refuse_change();

-- Challenges that a browser has to sign with a passkey, one for each browser and purpose. They are deleted when used.
create table staff_challenges (
  -- SHA-256 of the browser's cookie: that of its session, or that of a sign-in that has started.
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  challenge text not null,
  expires_at timestamptz(3) not null,
  constraint staff_challenges_pkey primary key (browser_hash, purpose)
);
create index staff_challenges_age on staff_challenges (expires_at);

-- Browsers on which a member has signed in, as `known_devices` for clients.
create table staff_devices (
  token_hash bytea not null check (octet_length(token_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint staff_devices_pkey primary key (token_hash, staff_id)
);
create index staff_devices_age on staff_devices (last_used_at);
create index staff_devices_staff on staff_devices (staff_id);

-- The second factors of staff: authenticator apps and passkeys.
create table staff_factors (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  kind text not null check (kind in ('authenticator', 'passkey')),
  name text not null check (length(name) >= 1 and length(name) <= 100),
  created_at timestamptz(3) not null,
  -- Null until a code of the authenticator app has shown that it works.
  active_at timestamptz(3),
  last_used_at timestamptz(3),
  -- Of an authenticator app: its encrypted secret, and the last 30 seconds of which a code was accepted.
  secret bytea,
  last_step bigint,
  -- Of a passkey.
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  constraint staff_factors_check check ((kind = 'authenticator') = (secret is not null)),
  constraint staff_factors_check1 check ((kind = 'passkey') = (credential_id is not null
    and public_key is not null and counter is not null))
);
create index staff_factors_staff on staff_factors (staff_id);

-- Links with which a member chooses a name and a password. Only the SHA-256 of their token is stored.
create table staff_invitations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  withdrawn_at timestamptz(3)
);
create index staff_invitations_staff on staff_invitations (staff_id, created_at);

-- Each works once instead of a code. Only their SHA-256 is stored.
create table staff_recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  disabled_at timestamptz(3)
);
create index staff_recovery_codes_staff on staff_recovery_codes (staff_id);

-- Only the SHA-256 of the token in the cookie is stored. The id names the session in lists.
create table staff_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique,
  staff_id uuid not null references staff on delete restrict,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- When a second factor was last presented; with an invitation, when it was accepted.
  confirmed_at timestamptz(3) not null,
  address text not null,
  user_agent text check (length(user_agent) <= 300)
);
create index staff_sessions_age on staff_sessions (expires_at);
create index staff_sessions_staff on staff_sessions (staff_id);
create trigger staff_sessions_broadcast_deleted after delete on staff_sessions
  for each row when (old.ended_at is null and old.expires_at > now()) execute function broadcast_ended_session();
create trigger staff_sessions_broadcast_ended after update of ended_at on staff_sessions
  for each row when (old.ended_at is null and new.ended_at is not null) execute function broadcast_ended_session();

-- What clients are asked to do.
create table tasks (
  id uuid primary key,
  case_id uuid not null references conveyancing_cases on delete cascade,
  matter_id uuid references matters on delete cascade,
  reference text not null unique,
  kind text not null check (kind in ('pay_search', 'pay', 'read_document', 'sign_document', 'contact_us')),
  title text not null,
  explanation text not null,
  due_on date,
  status text not null check (status in ('open', 'done')),
  case_search_id uuid references case_searches on delete cascade,
  document_id uuid references documents on delete cascade,
  amount integer check (amount > 0),
  "position" integer not null,
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  feed_sent_at timestamptz(3)
);
create index tasks_case on tasks (case_id);
create index tasks_case_search on tasks (case_search_id) where case_search_id is not null;
create index tasks_document on tasks (document_id) where document_id is not null;
create index tasks_due on tasks (due_on) where status = 'open' and due_on is not null;
create trigger tasks_broadcast_insert after insert on tasks referencing new table as rows_after
  for each statement execute function broadcast_changed_rows('TaskUpdated', '');
create trigger tasks_broadcast_update after update on tasks
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('TaskUpdated', '');

-- A restored database, until everything that follows a restore is done.
create table unfinished_restores (
  id uuid default gen_random_uuid() primary key,
  -- The cases and clients that backups list as erased, such as [{"kind": "case", "id": "…"}].
  erased jsonb not null
);

-- Files that a document or an upload no longer has. They stay for a while, because a database that is recovered to an
-- earlier moment needs them. An erasure of the case removes them at once.
create table unused_files (
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Null for an upload that no document had.
  document_id uuid,
  unused_since timestamptz(3) not null default now(),
  constraint unused_files_sha256_document_id_key unique nulls not distinct (sha256, document_id)
);
create index unused_files_document on unused_files (document_id);

-- What each attempt resulted in: a status or an error.
create table webhook_attempts (
  endpoint_id uuid not null,
  event_id text not null,
  attempt integer not null,
  started_at timestamptz(3) not null,
  milliseconds integer not null,
  status integer,
  error text check (length(error) <= 500),
  constraint webhook_attempts_check check (num_nonnulls(status, error) = 1),
  constraint webhook_attempts_endpoint_id_event_id_fkey foreign key (endpoint_id, event_id) references
    webhook_deliveries(endpoint_id, event_id) on delete cascade,
  constraint webhook_attempts_pkey primary key (endpoint_id, event_id, attempt)
);

-- The delivery of each event to each endpoint.
create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete restrict,
  event_id text not null references webhook_events on delete cascade,
  -- A copy of the event's, as is `ordering_key`.
  "position" bigint not null,
  ordering_key uuid not null,
  -- Dead: not delivered within the time for retries. It can be sent again.
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  -- All attempts that were started.
  attempts integer not null default 0,
  -- Failed attempts since the event was recorded or sent again.
  failures integer not null default 0,
  -- By PostgreSQL's clock, whatever the clocks of the servers say.
  due_at timestamptz(3) not null default '-infinity'::timestamptz,
  -- A server is sending it; after this time that server is assumed dead.
  leased_until timestamptz(3),
  retry_until timestamptz(3) not null default (now() + '3 days'::interval),
  finished_at timestamptz(3),
  constraint webhook_deliveries_check check ((state = 'pending') = (finished_at is null)),
  constraint webhook_deliveries_pkey primary key (endpoint_id, event_id)
);
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, "position") where state = 'dead';
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, "position") where state = 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_leased on webhook_deliveries (endpoint_id, leased_until)
  where leased_until is not null;
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, "position");
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, ordering_key, "position")
  where state = 'pending';

-- Rows are kept, because the audit log names endpoints by id. A deletion would also block transactions that add
-- deliveries.
create table webhook_endpoints (
  id uuid primary key,
  url text not null check (length(url) >= 1 and length(url) <= 2000),
  description text not null check (length(description) >= 1 and length(description) <= 200),
  -- Null: every event, also of types that later versions add.
  event_types text[] check (cardinality(event_types) > 0),
  state text not null check (state in ('enabled', 'disabled', 'deleted')),
  -- The endpoint answered 410 Gone; otherwise an operator disabled it.
  is_gone boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create trigger webhook_endpoints_kept before delete or truncate on webhook_endpoints
  for each statement execute function refuse_change();

-- Facts that are reported to endpoints. None is written while no endpoint wants events of its type.
create table webhook_events (
  -- Derived from the fact, so that a fact that is recorded again after a restored backup has the same id.
  id text primary key check (id ~ '^evt_[0-9a-f]{32}$'),
  "position" bigint generated always as identity,
  type text not null,
  occurred_at timestamptz(3) not null,
  -- Events with the same key, a case or a client, are delivered in the order of their positions.
  ordering_key uuid not null,
  -- References of the firm and ids of payments.
  data jsonb not null,
  -- The page of the dashboard that shows it.
  path text not null,
  created_at timestamptz(3) not null default now(),
  constraint webhook_events_position_key unique ("position")
);
create index webhook_events_age on webhook_events (created_at);

-- The secrets of an endpoint: one, and during a rotation more. Signing needs them as they are.
create table webhook_secrets (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete restrict,
  secret bytea not null check (octet_length(secret) >= 24 and octet_length(secret) <= 64),
  created_at timestamptz(3) not null,
  -- Set when the endpoint gets a new secret: the end of the overlap.
  expires_at timestamptz(3)
);
create index webhook_secrets_endpoint on webhook_secrets (endpoint_id);

create function announce_payment_change() returns trigger language plpgsql as $$
declare
  -- No screen shows these columns. The intent's id is not one of them: with it, the payment can be paid.
  ignored constant text[] := array['updated_at', 'next_check_at', 'provider_revision', 'provider_account_id', 'last_cause',
    'last_provider_event_id'];
begin
  if old.paid_at is null and new.paid_at is not null then
    insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
      values ('payment.succeeded', new.paid_at, coalesce(new.confirmed_by, new.client_id), new.id, new.id, new.amount);
  end if;
  -- Comparing all columns takes longer than to store an intent.
  if new.provider_intent_id is distinct from old.provider_intent_id
    or to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored
  then
    perform broadcast('private-case.' || new.case_id, 'PaymentUpdated', array[new.id::text]);
  end if;
  return null;
end $$;

create function awaits_check(document documents) returns boolean language sql stable as $$
  -- Versions and results are in the matter of the document, and most matters have no such search.
  select exists (
      select from case_searches
      where matter_id = document.matter_id and result_document_id is not null and status <> 'reviewed'
    ) and not exists (
      select from case_searches where result_document_id = document.id and status = 'reviewed'
    ) and exists (
      with recursive versions as (
        select document.id
        union select newer.id from versions join documents newer
          on newer.supersedes_id = versions.id and newer.withdrawn_at is null
      )
      select from versions join case_searches on result_document_id = versions.id where status <> 'reviewed')
$$;

create function awaits_identity_check(purpose text, payment_case uuid, payment_matter uuid) returns boolean language sql stable as $$
  select coalesce(firm_data_value('payment_rules') -> 'not_before' ->> purpose = 'identity_checked', false)
    and exists (
      select from matters m join milestones step on step.matter_id = m.id
      where m.case_id = payment_case
        and m.status in ('active', 'on_hold')
        and (m.id = payment_matter or not exists (
          select from matters where id = payment_matter and status in ('active', 'on_hold')))
        and step.key = 'identity_checked' and step.status not in ('done', 'not_needed'))
$$;

create function awaits_matter(payment payments) returns boolean language sql stable as $$
  select payment.matter_id is null and payment.bill_id is null and payment.paid_at is not null
    and payment.refunded_amount < payment.amount and payment.dispute_status is distinct from 'lost'
    and (select count(*) from matters where case_id = payment.case_id) > 1
$$;

create function awaits_payer_check(payment payments) returns boolean language sql stable as $$
  select payment.own_card is false and payment.paid_at is not null and payment.payer_check is null
    and payment.refunded_amount < payment.amount and payment.dispute_status is distinct from 'lost'
$$;

create function bank_holiday_days() returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(holiday ->> 'day'), '[]'::jsonb)
  from jsonb_array_elements(firm_data_value('bank_holidays')) holiday
$$;

create function broadcast(to_channel text, event_name text, changed text[]) returns void language plpgsql as $$
begin
  perform broadcast_all(array[row(to_channel, event_name, changed)::new_event]);
end $$;

create function broadcast_all(events new_event[]) returns void language plpgsql as $$
begin
  if events is null then return; end if;
  insert into broadcast_events as known (channel, event, ids, except_socket)
  select sent.channel, sent.event, case when cardinality(sent.ids) > 50 then '{}' else sent.ids end,
    nullif(current_setting('keyturn.socket_id', true), '')
  from unnest(events) as sent
  on conflict (transaction_id, channel, event) do update set ids = (
    select case
      when cardinality(known.ids) = 0 or cardinality(excluded.ids) = 0 or count(distinct id) > 50 then '{}'
      else array_agg(distinct id) end
    from unnest(known.ids || excluded.ids) as id
  );
  -- PostgreSQL sends equal notifications of a transaction once, and none before the commit.
  perform pg_notify('keyturn_broadcast', pg_current_xact_id()::text);
end $$;

create function broadcast_case_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform broadcast_all((
      select array_agg(row('private-client.' || client_id, 'CaseUpdated', ids)::new_event)
      from (select client_id, array_agg(case_id::text) as ids from rows_after group by client_id) of_client));
  else
    perform broadcast_all((
      select array_agg(row('private-client.' || client_id, 'CaseUpdated', ids)::new_event)
      from (select client_id, array_agg(case_id::text) as ids from rows_before group by client_id) of_client));
    perform broadcast_all((
      select array[row('#access', 'ended', array_agg(distinct client_id::text))::new_event]
      from rows_before having count(*) > 0));
  end if;
  return null;
end $$;

create function broadcast_changed_rows() returns trigger language plpgsql as $$
declare
  ignored constant text[] :=
    array['updated_at', 'feed_hash', 'feed_sent_at'] || string_to_array(coalesce(tg_argv[1], ''), ',');
  changed jsonb[];
begin
  if tg_op = 'DELETE' then
    select array_agg(to_jsonb(o) || '{"status": "gone"}') into changed from rows_before o;
  elsif tg_op = 'UPDATE' then
    select array_agg(to_jsonb(n)) into changed from rows_after n join rows_before o on o.id = n.id
      where to_jsonb(n) - ignored is distinct from to_jsonb(o) - ignored;
    -- Those who can no longer see a document are notified too.
    if tg_table_name = 'documents' then
      select changed || array_agg(to_jsonb(o)) into changed from rows_after n join rows_before o on o.id = n.id
        where n.for_client_id is distinct from o.for_client_id;
    end if;
  -- Whole rows as JSON would cost more than to insert them.
  elsif tg_table_name = 'conveyancing_cases' then
    select array_agg(jsonb_build_object('id', n.id)) into changed from rows_after n;
  elsif tg_table_name = 'milestones' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id, 'status', n.status)) into changed
      from rows_after n;
  elsif tg_table_name = 'documents' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id, 'for_client_id', n.for_client_id))
      into changed from rows_after n;
  elsif tg_table_name = 'case_searches' then
    select array_agg(jsonb_build_object('id', n.id, 'matter_id', n.matter_id)) into changed from rows_after n;
  elsif tg_table_name = 'tasks' then
    select array_agg(jsonb_build_object('id', n.id, 'case_id', n.case_id, 'document_id', n.document_id))
      into changed from rows_after n;
  else
    select array_agg(jsonb_build_object('id', n.id, 'case_id', n.case_id)) into changed from rows_after n;
  end if;
  if changed is not null then perform broadcast_to_cases(tg_argv[0], changed); end if;
  return null;
end $$;

create function broadcast_client() returns trigger language plpgsql as $$
begin
  perform broadcast('private-client.' || new.id, 'CaseUpdated', '{}');
  return null;
end $$;

create function broadcast_ended_session() returns trigger language plpgsql as $$
begin
  perform broadcast('#sessions', 'ended', array[encode(old.token_hash, 'hex')]);
  return null;
end $$;

create function broadcast_maintenance() returns trigger language plpgsql as $$
begin
  perform broadcast('status', 'MaintenanceChanged', '{}');
  return null;
end $$;

create function broadcast_payout() returns trigger language plpgsql as $$
declare
  changed jsonb[];
begin
  if (new.status, new.arrives_on, new.itemised_at, new.matched_on, new.transferred_on)
    is not distinct from (old.status, old.arrives_on, old.itemised_at, old.matched_on, old.transferred_on)
  then return null; end if;
  select array_agg(jsonb_build_object('id', payments.id, 'case_id', payments.case_id)) into changed
  from balance_transactions charge
  join payments on payments.provider = charge.provider and payments.provider_intent_id = charge.intent_id
  where charge.provider = new.provider and charge.payout_id = new.payout_id and charge.kind = 'charge';
  if changed is not null then perform broadcast_to_cases('PaymentUpdated', changed); end if;
  return null;
end $$;

create function broadcast_refund() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || payments.case_id, 'PaymentUpdated', array[payments.id::text])
    from payments where payments.id = new.payment_id;
  return null;
end $$;

create function broadcast_signature() returns trigger language plpgsql as $$
begin
  perform broadcast('private-case.' || matters.case_id, 'DocumentShared', array[documents.id::text])
    from documents join matters on matters.id = documents.matter_id where documents.id = new.document_id;
  return null;
end $$;

create function broadcast_task_read() returns trigger language plpgsql as $$
begin
  perform broadcast_to_cases('TaskUpdated', array_agg(to_jsonb(tasks)))
    from tasks where tasks.document_id = new.document_id and tasks.kind = 'read_document' and tasks.status = 'open'
    having count(*) > 0;
  return null;
end $$;

create function broadcast_to_cases(event_name text, changed jsonb[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  perform broadcast_all((
    select array_agg(row(sent.channel, sent.event,
      case when sent.event = 'CaseUpdated' then '{}' else sent.ids end)::new_event)
    from (
      select announced.channel, announced.event, array_agg(distinct announced.id) as ids
      from unnest(changed) as row_now
      left join matters on matters.id = (row_now ->> 'matter_id')::uuid
      left join documents on event_name = 'TaskUpdated' and documents.id = (row_now ->> 'document_id')::uuid
      cross join lateral (
        select
          coalesce(row_now ->> 'case_id', matters.case_id::text, row_now ->> 'id') as case_id,
          coalesce(row_now ->> 'for_client_id', documents.for_client_id::text) as for_client_id,
          -- A step that is not done yet has a new plan, which changes the case.
          case when event_name = 'MilestoneReached' and row_now ->> 'status' <> 'done' then 'CaseUpdated'
            else event_name end as event
      ) as about
      cross join lateral (values
        (coalesce('private-client.' || about.for_client_id, 'private-case.' || about.case_id), about.event,
          row_now ->> 'id'),
        (case when about.for_client_id is not null then 'private-desk' end, 'DeskUpdated', about.case_id)
      ) as announced (channel, event, id)
      where announced.channel is not null
      group by announced.channel, announced.event) as sent));
end $$;

create function broadcast_to_desk() returns trigger language plpgsql as $$
begin
  perform broadcast('private-desk', 'DeskUpdated', '{}');
  return null;
end $$;

create function case_retained_until(of_case conveyancing_cases) returns timestamptz language sql stable as $$
  select case when of_case.closed_at is not null then greatest(
    of_case.closed_at + make_interval(months => (
      select max(months) from retention_rules where kind = any(case_retention_kinds(of_case)))),
    (select max(greatest(paid_at, updated_at)) + make_interval(months => (
        select months from retention_rules where kind = 'payments'))
      from payments where case_id = of_case.id and paid_at is not null)
  ) end
$$;

create function case_retention_kinds(of_case conveyancing_cases) returns text[] language sql stable as $$
  select coalesce(
    (select array_agg(distinct matter_type) from matters
      where case_id = of_case.id and status <> 'abandoned' and of_case.status <> 'abandoned'),
    array['abandoned'])
$$;

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

create function check_balance_transaction() returns trigger language plpgsql as $$
begin
  if (old.provider, old.transaction_id, old.kind, old.amount, old.fee, old.currency, old.created_at)
    is distinct from (new.provider, new.transaction_id, new.kind, new.amount, new.fee, new.currency, new.created_at)
    or old.intent_id is distinct from new.intent_id
    or (old.refund_id is not null and new.refund_id is distinct from old.refund_id)
    or (old.payout_id is not null and new.payout_id is distinct from old.payout_id)
  then
    raise exception 'a balance transaction does not change'
      using errcode = 'check_violation', constraint = 'balance_transactions_facts';
  end if;
  return new;
end $$;

create function check_hold_change() returns trigger language plpgsql as $$
begin
  if new.reason = '' and is_erasing() then new.release_reason := null; end if;
  if to_jsonb(new) - array['released_at', 'released_by', 'release_reason', 'reason']
      <> to_jsonb(old) - array['released_at', 'released_by', 'release_reason', 'reason']
    or (new.reason <> old.reason and not (new.reason = '' and is_erasing()))
    or (new.release_reason is not null and new.released_at is null)
    or (old.released_at is not null and (
      (new.released_at, new.released_by) is distinct from (old.released_at, old.released_by)
      or (new.release_reason is distinct from old.release_reason and not (new.reason = '' and is_erasing()))))
  then
    raise exception 'a legal hold does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create function check_payment_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'requires_payment_method' then
      raise exception 'a payment starts at requires_payment_method, not %', new.status
        using errcode = 'check_violation', constraint = 'payment_transitions';
    end if;
    return new;
  end if;
  -- On its own, because a condition with a query takes longer than all others.
  if new.status <> old.status then
    if not exists (select from payment_transitions where from_status = old.status and to_status = new.status) then
      raise exception 'a payment does not go from % to %', old.status, new.status
        using errcode = 'check_violation', constraint = 'payment_transitions';
    end if;
  end if;
  if new.amount <> old.amount or new.currency <> old.currency or new.kind <> old.kind
    or new.case_id <> old.case_id or new.case_search_id is distinct from old.case_search_id
    or (old.provider_intent_id is not null and new.provider_intent_id is distinct from old.provider_intent_id)
  then
    raise exception 'what a payment is for, its amount and its intent do not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif new.method <> old.method then
    raise exception 'the method of a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif new.failed_refund_amount < old.failed_refund_amount
    or new.refunded_amount + new.failed_refund_amount < old.refunded_amount + old.failed_refund_amount
  then
    raise exception 'a refund is only taken back when it has failed'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.cleared_at is not null
    and (new.cleared_at, new.clears_on) is distinct from (old.cleared_at, old.clears_on)
  then
    raise exception 'money that has cleared stays cleared'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.payer_check is not null and new.payer_check is distinct from old.payer_check then
    raise exception 'the check of a payer does not change'
      using errcode = 'check_violation', constraint = 'payment_payer_check';
  elsif new.allocation is distinct from old.allocation
    and (new.allocation is null or new.cleared_at is null or new.case_search_id is null)
  then
    raise exception 'only the payment for a search that has cleared is allocated'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.matter_id is not null and new.matter_id is distinct from old.matter_id then
    raise exception 'the matter of a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_terms';
  elsif old.confirmed_by is not null
    and (new.confirmed_by, new.own_card, new.payer_name, new.receipt_email, new.order_now, new.order_now_at, new.wording,
      new.order_wording, new.order_words)
      is distinct from
      (old.confirmed_by, old.own_card, old.payer_name, old.receipt_email, old.order_now, old.order_now_at, old.wording,
      old.order_wording, old.order_words)
  then
    raise exception 'what a client confirmed for a payment does not change'
      using errcode = 'check_violation', constraint = 'payment_confirmation';
  end if;
  return new;
end $$;

create function check_refund_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not exists (
    select 1 from refund_transitions where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a refund does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'refund_transitions';
  elsif (new.payment_id, new.amount, new.created_at, new.requested_by, new.requested_by_staff, new.requested_by_role,
      new.money_state, new.office)
      is distinct from
      (old.payment_id, old.amount, old.created_at, old.requested_by, old.requested_by_staff, old.requested_by_role,
      old.money_state, old.office)
    or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)
    or (old.approved_by is not null and (new.approved_by, new.approved_by_staff)
      is distinct from (old.approved_by, old.approved_by_staff))
  then
    raise exception 'the payment, the amount and the people of a refund do not change'
      using errcode = 'check_violation', constraint = 'refund_terms';
  end if;
  return new;
end $$;

create function comparable_text(sent text) returns text language sql immutable parallel safe as $$
  select replace(replace(replace(replace(
    translate(regexp_replace(lower(normalize(sent, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g'), 'łøđðıħŋ', 'loddihn'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

create function comparable_words(sent text) returns text[] language sql immutable parallel safe as $$
  select array(
    select left(word, 60) from regexp_split_to_table(comparable_text(sent), '[^[:alnum:]]+') as word where word <> '')
$$;

create function complete_confirmation() returns trigger language plpgsql as $$
begin
  if new.confirmed_by is not null then
    select last_payer_address, wording into new.confirmed_from, new.confirmed_wording
    from payments where id = new.payment_id;
  end if;
  if new.to_status = 'cancelled' and new.from_status <> 'cancelled' then
    select cancel_requested_by into new.cancelled_by from payments where id = new.payment_id;
  end if;
  return new;
end $$;

create function complete_refund_change() returns trigger language plpgsql as $$
begin
  if new.refund_id is null and new.money <> 0
    and new.from_status in ('succeeded', 'partially_refunded', 'refunded')
  then
    select refunds.id, refunds.status, refunds.amount into new.refund_id, new.refund_status, new.refund_amount
    from payments join refunds on refunds.id = payments.last_refund_id where payments.id = new.payment_id;
  end if;
  return new;
end $$;

create function count_firm_version() returns trigger language plpgsql as $$
begin
  new.firm_version := old.firm_version + 1;
  return new;
end $$;

create function counts_as_refunded(status text) returns boolean language sql immutable as $$
  select status in ('pending', 'requires_action', 'succeeded')
$$;

create function derive_shown_firm() returns trigger language plpgsql as $$
declare
  rules constant jsonb := firm_data_value('payment_rules');
begin
  new.shown_firm := firm_with_bank_holidays(new.firm) || jsonb_build_object(
    'order_searches', rules -> 'order_searches',
    'payment_rules', jsonb_build_object('unasked', rules -> 'unasked', 'not_before', rules -> 'not_before'));
  return new;
end $$;

create function derive_shown_firm_again() returns trigger language plpgsql as $$
begin
  -- The trigger above derives it.
  update installation set shown_firm = null;
  return null;
end $$;

create function erase_case(erasure bigint) returns void language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
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

create function erase_client(erasure bigint) returns void language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  target constant uuid := find_erasure(erasure, 'client');
  from_table text;
begin
  if exists (select from erasures where id = erasure and basis <> 'restored') and exists (
    select from case_clients own where client_id = target and not exists (
      select from case_clients other where other.case_id = own.case_id and other.client_id <> target))
  then
    raise exception 'client % has cases', target using errcode = 'restrict_violation';
  end if;
  perform redact_history(target);
  update payment_mails set address = '' where client_id = target;
  -- Their requests to order stay in the file of the joint client, as what they signed does.
  update documents set uploaded_by = 'Former client'
    where reference in (select 'desk-' || id from payments where confirmed_by = target);
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
    email_change_mailed_at = null, phone_changed_at = null, replaced_feed_phone = null, former_phone = null,
    recent_phones = '{}',
    disabled_at = now(), erased_at = now(), updated_at = now()
  where id = target;
end $$;

create function erase_jobs(erasure bigint, ids uuid[]) returns void language plpgsql as $$
declare
  address text;
begin
  perform erase_rows(erasure, 'graphile_worker._private_jobs',
    'locked_at is null and payload::text ~ array_to_string($1, ''|'')', ids);
  for address in select lower(unnest(array[email, replaced_feed_email])) from clients where id = any(ids) loop
    delete from graphile_worker._private_jobs
      where locked_at is null and position(to_json(address)::text in lower(payload::text)) > 0;
  end loop;
end $$;

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

create function erase_rows(of_erasure bigint, from_table text, condition text, ids uuid[]) returns void language plpgsql as $$
declare
  deleted bigint;
begin
  execute format('delete from %s where %s', from_table, condition) using ids;
  get diagnostics deleted = row_count;
  if deleted = 0 then return; end if;
  insert into erased_rows (erasure_id, table_name, row_count) values (of_erasure, from_table, deleted)
    on conflict do nothing;
end $$;

create function expiries_of_cases(searched uuid[]) returns table(case_id uuid, expires_on date) language sql stable as $$
  select c.id, coalesce((
    select min(result.valid_until)
    from matters m join case_searches result on result.matter_id = m.id
    where m.case_id = c.id and c.status in ('active', 'on_hold') and m.status in ('active', 'on_hold')
      and m.completed_on is null and result.status in ('returned', 'reviewed')
      and result.valid_until < coalesce(m.target_completion_on, 'infinity')
      -- Renewed, or being renewed.
      and not exists (
        select from case_searches newer
        where newer.matter_id = m.id and newer.code = result.code and newer.id <> result.id
          and (newer.status in ('awaiting_payment', 'paid', 'ordered')
            or newer.status in ('returned', 'reviewed') and newer.valid_until > result.valid_until))), 'infinity')
  from conveyancing_cases c where c.id = any(searched)
$$;

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

create function firm_data_value(kind text) returns jsonb language sql stable as $$
  select data.value from firm_data data where data.kind = $1 order by data.version desc limit 1
$$;

create function firm_with_bank_holidays(firm jsonb) returns jsonb language sql stable as $$
  select firm || jsonb_build_object('closed_on', (
    select coalesce(jsonb_agg(day order by day), '[]'::jsonb) from (
      select jsonb_array_elements_text(firm -> 'closed_on') as day
      union select jsonb_array_elements_text(bank_holiday_days())
    ) closed))
$$;

create function forget_bill_lines() returns trigger language plpgsql as $$
begin
  if new.lines is not distinct from old.lines
    and (new.net, new.vat_rate, new.vat) is distinct from (old.net, old.vat_rate, old.vat)
  then
    new.lines := null;
  end if;
  return new;
end $$;

create function is_client_referenced(client uuid) returns boolean language sql stable as $$
  select exists (select from document_signatures where client_id = client)
    or exists (select from documents
      where for_client_id = client or originals @> jsonb_build_array(jsonb_build_object('client_id', client)))
    or exists (select from payments where client in (client_id, confirmed_by, last_payer_id, cancel_requested_by))
    or exists (select from payment_changes where client in (confirmed_by, cancelled_by))
    or exists (select from payment_mails where client_id = client)
$$;

create function is_erasing() returns boolean language sql stable as $$
  select exists (
    select from erasures
    where transaction_id = pg_current_xact_id_if_assigned() and opened_at = transaction_timestamp())
$$;

create function is_hidden_from(document documents, client uuid) returns boolean language sql stable as $$
  select awaits_check(document) or (document.for_client_id is not null and document.for_client_id is distinct from client)
$$;

create function is_shown_to(document documents, client uuid) returns boolean language sql stable as $$
  select document.withdrawn_at is null and not is_hidden_from(document, client)
$$;

create function joined_words(sent text) returns text language sql immutable parallel safe as $$
  select left(regexp_replace(comparable_text(sent), '[^[:alnum:]]+', '', 'g'), 60)
$$;

create function last_updates_of_cases(searched uuid[]) returns table(case_id uuid, last_update_at timestamptz) language sql stable as $$
  select c.id, coalesce((
    select occurred_at from history_entries entry
    -- Without a reference: what Keyturn recorded about clients.
    where entry.case_id = c.id and entry.reference is not null
    order by entry.occurred_at desc, entry.id desc limit 1), '-infinity')
  from conveyancing_cases c where c.id = any(searched)
$$;

create function link_audit_entry() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  former audit_links;
begin
  perform pg_advisory_xact_lock(7208114224);
  select * into former from audit_links order by position desc limit 1;
  insert into audit_links (position, entry_id, hash) values (
    coalesce(former.position, 0) + 1,
    new.id,
    sha256(coalesce(former.hash, decode(repeat('00', 32), 'hex')) || new.content_hash)
  );
  return null;
end $$;

create function list_steps_of_cases(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  insert into case_filter_values as known (kind, value, label)
  select distinct on (step.key) 'step', step.key, step.title
  from matters m join milestones step on step.matter_id = m.id
  where m.case_id = any(changed) and step.status in ('current', 'blocked')
  order by step.key, step.title
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
end $$;

create function lock_case_summaries(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  perform from case_summaries where case_id = any(changed) order by case_id for update;
end $$;

create function matter_due_on(payment payments) returns date language sql stable as $$
  with closed as (select shown_firm -> 'closed_on' as days from installation)
  select min(day)::date from generate_series(
    (payment.paid_at at time zone 'Europe/London')::date + 1,
    (payment.paid_at at time zone 'Europe/London')::date + 28, interval '1 day') day, closed
  where extract(dow from day) between 1 and 5 and not coalesce(closed.days ? day::date::text, false)
$$;

create function note_last_event() returns trigger language plpgsql as $$
declare
  last bigint := (select max(id) from rows_after);
begin
  if last is not null then perform set_config('keyturn.last_event', last::text, true); end if;
  return null;
end $$;

create function note_unused_file() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  insert into unused_files (sha256, document_id)
    select old.sha256, case when tg_table_name = 'documents' then (to_jsonb(old) ->> 'id')::uuid end
    -- A file that a document had is noted even if it is used elsewhere, and kept as long as it is.
    where tg_table_name = 'documents' or (
      not exists (select from documents where sha256 = old.sha256)
      and not exists (select from feed_files where sha256 = old.sha256))
    on conflict (sha256, document_id) do update set unused_since = now();
  return null;
end $$;

create function notify_of_events() returns trigger language plpgsql as $$
declare
  content text;
begin
  -- Once for each transaction.
  if new.id::text <> current_setting('keyturn.last_event', true) then return null; end if;
  -- More events than these are too long in any case.
  select case when count(*) <= 100 then json_build_object('transaction', new.transaction_id::text, 'events',
      json_agg(json_build_array(id, channel, event, ids, except_socket) order by id))::text end into content
    from (select * from broadcast_events where transaction_id = new.transaction_id limit 101) as of_transaction;
  perform pg_notify('keyturn_events',
    case when octet_length(content) < 7900 then content else new.transaction_id::text end);
  return null;
end $$;

create function order_waits_for(payment payments) returns text language sql stable as $$
  select case
    when awaits_payer_check(payment) then 'payer_check'
    when payment.paid_at is not null and payment.cleared_at is null and payment.status <> 'refunded'
      and firm_data_value('payment_rules') ->> 'order_searches' = 'cleared' then 'clearing'
    when payment.order_words is not null and payment.paid_at > now() - interval '15 minutes'
      and not exists (select from documents where reference = 'desk-' || payment.id) then 'filing'
  end
$$;

create function payout_of(payment payments) returns json language sql stable as $$
  select json_build_object(
    'paid_out_on', (payout.created_at at time zone 'Europe/London')::date,
    'expected_on', payout.arrives_on,
    'in_account_since', case when payout.matched_on is not null
        and (payout.precedes_matching or payout.transferred_on is not null or payout.to_transfer <= 0)
      then greatest(payout.matched_on, case when payout.to_transfer > 0 then payout.transferred_on end) end)
  from balance_transactions charge
  join payouts payout on payout.provider = charge.provider and payout.payout_id = charge.payout_id
  where payment.paid_at is not null and charge.provider = payment.provider
    and charge.intent_id = payment.provider_intent_id and charge.kind = 'charge'
    -- Nothing is recorded of payouts from before matches were.
    and (payout.matched_on is not null or payout.status in ('in_transit', 'paid') and not payout.precedes_matching)
  order by payout.created_at desc limit 1
$$;

create function record_client_activation(client uuid, activated_at timestamptz) returns void language sql as $$
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.activated', activated_at, client, client);
$$;

create function record_disputed_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
      select 'payment.disputed', new.opened_at, coalesce(confirmed_by, client_id), id, new.id, new.amount
      from payments where id = new.payment_id;
  end if;
  if new.status = 'closed' then
    insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount, outcome)
      select 'payment.dispute_closed', new.closed_at, coalesce(confirmed_by, client_id), id, new.id, new.amount,
        new.outcome
      from payments where id = new.payment_id;
  end if;
  return null;
end $$;

create function record_document_event(event_type text, happened_at timestamptz, on_document uuid, by_client uuid) returns void language sql as $$
  select record_webhook_event(event_type, on_document || ' ' || by_client, happened_at, matters.case_id,
    jsonb_build_object(
      'case', conveyancing_cases.reference,
      'matter', matters.reference,
      'client', (select reference from clients where id = by_client),
      'document', documents.reference
    ), '/documents/' || documents.id)
  from documents
  join matters on matters.id = documents.matter_id
  join conveyancing_cases on conveyancing_cases.id = matters.case_id
  where documents.id = on_document
$$;

create function record_event_of_change() returns trigger language plpgsql as $$
begin
  case new.type
    when 'document.signed', 'document.read' then
      perform record_document_event(new.type, new.occurred_at, new.subject_id, new.client_id);
    when 'client.activated' then
      perform record_webhook_event(new.type, id::text, new.occurred_at, id, jsonb_build_object('client', reference),
        '/login') from clients where id = new.client_id;
    when 'payment.succeeded' then
      perform record_payment_event(new.type, payments.id::text, new.occurred_at, payments)
        from payments where id = new.payment_id;
    when 'payment.refunded', 'payment.refund_failed' then
      perform record_payment_event(new.type, payments.id || ' ' || provider_refund_id, new.occurred_at, payments)
        from refunds join payments on payments.id = payment_id where refunds.id = new.subject_id;
    when 'payment.disputed' then
      perform record_payment_event(new.type, disputes.provider || ' ' || provider_dispute_id, new.occurred_at, payments)
        from disputes join payments on payments.id = payment_id where disputes.id = new.subject_id;
    else null;
  end case;
  return null;
end $$;

create function record_payment_change() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  taken_before integer := 0;
  taken_now integer := case when new.paid_at is null then 0 else new.amount - new.refunded_amount end;
  is_confirmation boolean := not ((new.order_now, new.order_now_at, new.own_card, new.payer_name, new.receipt_email) is null);
begin
  if tg_op = 'UPDATE' then
    taken_before := case when old.paid_at is null then 0 else old.amount - old.refunded_amount end;
    is_confirmation :=
      (new.order_now, new.order_now_at, new.own_card, new.payer_name, new.receipt_email, new.confirmed_by)
      is distinct from
      (old.order_now, old.order_now_at, old.own_card, old.payer_name, old.receipt_email, old.confirmed_by);
  end if;
  if tg_op = 'INSERT' or is_confirmation or taken_now <> taken_before or new.status <> old.status
    or new.failure_code is distinct from old.failure_code
    or new.provider_intent_id is distinct from old.provider_intent_id
    or new.provider_idempotency_key <> old.provider_idempotency_key
    or new.review_reason is distinct from old.review_reason
    or new.dispute_status is distinct from old.dispute_status
    or new.dispute_amount is distinct from old.dispute_amount
    or new.last_provider_event_id is distinct from old.last_provider_event_id
    or new.payer_check is distinct from old.payer_check
    or new.matter_id is distinct from old.matter_id
  then
    insert into payment_changes (
      payment_id, from_status, to_status, cause, provider_event_id, failure_code, money, confirmed_by, confirmed,
      review_reason, dispute_status, dispute_amount
    ) values (
      new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.last_cause,
      new.last_provider_event_id, new.failure_code, taken_now - taken_before,
      case when is_confirmation then coalesce(new.confirmed_by, new.client_id) end,
      case when is_confirmation then jsonb_strip_nulls(jsonb_build_object(
        'order_now', new.order_now, 'order_now_at', new.order_now_at, 'own_card', new.own_card,
        'payer_name', new.payer_name, 'receipt_email', new.receipt_email)) end,
      new.review_reason, new.dispute_status, new.dispute_amount
    );
  end if;
  if tg_op = 'INSERT' then return null; end if;
  if old.cleared_at is null and new.cleared_at is not null then
    insert into payment_changes (payment_id, from_status, to_status, cause, provider_event_id, money, cleared_at)
    values (new.id, new.status, new.status, new.last_cause, new.last_provider_event_id, 0, new.cleared_at);
  end if;
  if new.allocation is distinct from old.allocation then
    insert into payment_changes (payment_id, from_status, to_status, cause, money, allocation)
    values (new.id, new.status, new.status, new.last_cause, 0, new.allocation);
  end if;
  if new.search_released_at is distinct from old.search_released_at then
    insert into payment_changes (payment_id, from_status, to_status, cause, money, search_released_at)
    values (new.id, new.status, new.status, new.last_cause, 0, new.search_released_at);
  end if;
  return null;
end $$;

create function record_payment_event(event_type text, fact text, happened_at timestamptz, payment payments) returns void language sql as $$
  select record_webhook_event(event_type, fact, happened_at, payment.case_id, jsonb_build_object(
    'case', (select reference from conveyancing_cases where id = payment.case_id),
    'matter', (select reference from matters where id = payment.matter_id),
    'client', (select reference from clients where id = coalesce(payment.confirmed_by, payment.client_id)),
    'payment', payment.id,
    'search', (select reference from case_searches where id = payment.case_search_id),
    'bill', (select reference from bills where id = payment.bill_id)
  ), '/payments')
$$;

create function record_phone_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.phone_changed', new.phone_changed_at, new.id, new.id);
  return null;
end $$;

create function record_read_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('document.read', new.read_at, new.client_id, new.document_id);
  return null;
end $$;

create function record_refund_change() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if tg_op = 'UPDATE' then
    if new.status = old.status or counts_as_refunded(new.status) <> counts_as_refunded(old.status) then
      return null;
    end if;
  elsif counts_as_refunded(new.status) then
    return null;
  end if;
  insert into payment_changes (
    payment_id, from_status, to_status, cause, provider_event_id, money, refund_id, refund_status, refund_amount)
  select id, status, status, new.last_cause, new.last_provider_event_id, 0, new.id, new.status, new.amount
  from payments where id = new.payment_id;
  return null;
end $$;

create function record_refunded_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
    select case when new.status = 'succeeded' then 'payment.refunded' else 'payment.refund_failed' end,
      coalesce(new.failed_at, new.updated_at), coalesce(confirmed_by, client_id), id, new.id, new.amount
    from payments where id = new.payment_id;
  return null;
end $$;

create function record_signed_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('document.signed', new.signed_at, new.client_id, new.document_id);
  return null;
end $$;

create function record_task_completion(task tasks) returns void language plpgsql as $$
begin
  perform record_webhook_event('task.completed', task.id || ' ' || task.updated_at, task.updated_at, task.case_id,
    jsonb_build_object(
      'case', (select reference from conveyancing_cases where id = task.case_id),
      'matter', (select reference from matters where id = task.matter_id),
      'task', task.reference,
      'search', (select reference from case_searches where id = task.case_search_id),
      'document', (select reference from documents where id = task.document_id)
    ), '/');
end $$;

create function record_webhook_event(event_type text, fact text, happened_at timestamptz, case_or_client uuid, event_references jsonb, link_path text) returns void language plpgsql as $$
declare
  new_id constant text := 'evt_' || md5(event_type || ' ' || fact);
  new_position bigint;
begin
  if not exists (select from webhook_endpoints endpoint where wants_webhook_event(endpoint, event_type)) then
    return;
  end if;
  insert into webhook_events (id, type, occurred_at, ordering_key, data, path)
    values (new_id, event_type, happened_at, case_or_client, jsonb_strip_nulls(event_references), link_path)
    on conflict (id) do nothing returning position into new_position;
  if new_position is null then return; end if;
  insert into webhook_deliveries (endpoint_id, event_id, position, ordering_key)
    select endpoint.id, new_id, new_position, case_or_client
    from webhook_endpoints endpoint where wants_webhook_event(endpoint, event_type);
  perform pg_notify('keyturn_webhooks', '');
end $$;

create function redact_audit_entry() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  update audit_entries set actor_name = 'Erased client', address = null where id = new.entry_id;
  return null;
end $$;

create function redact_history(client uuid) returns void language plpgsql as $$
declare
  called text;
  first text;
  full_name text;
  asked constant text := 'We asked ';
  for_what constant text := ' to pay for: ';
begin
  select split_part(first_name, ' ', 1), first_name, first_name || ' ' || last_name
    into called, first, full_name from clients where id = client;
  update history_entries set
    actor = case when actor = full_name then 'Former client' else actor end,
    summary = case
      when reference is not null then summary
      when actor = full_name and starts_with(summary, first || ' paid ')
        then 'Former client' || substr(summary, length(first) + 1)
      when actor = full_name and starts_with(summary, full_name || ' signed ')
        then 'Former client' || substr(summary, length(full_name) + 1)
      when starts_with(summary, asked) and position(for_what in summary) > 0
        then asked || array_to_string(array_replace(string_to_array(
            substr(split_part(summary, for_what, 1), length(asked) + 1), ' and '), called, 'Former client'), ' and ')
          || substr(summary, position(for_what in summary))
      else summary end
  where case_id in (
      select case_id from case_clients where client_id = client
      union select case_id from payments where client in (client_id, confirmed_by)
      union select case_id from document_signatures s
        join documents d on d.id = s.document_id join matters m on m.id = d.matter_id where s.client_id = client)
    and (actor = full_name or (reference is null and position(called in summary) > 0));
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name in (
    'payments', 'payment_changes', 'refunds', 'receipt_files', 'document_signatures', 'signed_files'
  ) and is_erasing() then
    return null;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' and is_erasing() then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create function refuse_erasure_during_payment() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if exists (select from unsettled_payments(new.subject_id)) then
    raise exception 'a payment of the client is under way' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create function refuse_erasure_under_hold() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
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

create function release_unused_files() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  insert into unused_files (sha256, document_id, unused_since)
    select sha256, null, '-infinity' from unused_files where document_id = old.id
    on conflict (sha256, document_id) do update set unused_since = '-infinity';
  delete from unused_files where document_id = old.id;
  return null;
end $$;

create function shown_payer_check(payment payments) returns json language sql stable as $$
  select case when payment.own_card is false and payment.paid_at is not null
    then json_build_object('done_at', payment.payer_check ->> 'recorded_at') end
$$;

create function skip_session_of_disabled_client() returns trigger language plpgsql as $$
begin
  perform from clients where id = new.client_id and disabled_at is null for share;
  if not found then return null; end if;
  return new;
end $$;

create function starts_of_words(sent text) returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery from unnest(comparable_words(sent)) as word
$$;

create function steps_of_cases(searched uuid[]) returns table(case_id uuid, steps text[], actors text[], promised_on date) language sql stable as $$
  select c.id, coalesce(under_way.steps, '{}'), coalesce(under_way.actors, '{}'),
    coalesce(under_way.promised_on, 'infinity')
  from conveyancing_cases c
  cross join lateral (
    select array_agg(distinct step.key) as steps, array_agg(distinct step.actor) as actors,
      min(step.next_update_by) filter (where m.status = 'active') as promised_on
    from matters m join milestones step on step.matter_id = m.id
    where m.case_id = c.id and step.status in ('current', 'blocked') and m.status in ('active', 'on_hold')
      and c.status in ('active', 'on_hold')) under_way
  where c.id = any(searched)
$$;

create function summarise_cases(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  insert into case_summaries as known (case_id, reference, status, handlers, matter_types, steps, actors, promised_on,
      last_update_at, expires_on, words)
  select c.id, c.reference, c.status,
    array(select distinct lower(handler ->> 'email') from jsonb_array_elements(c.handlers) as handler
      where handler ->> 'email' <> ''),
    array(select distinct matter_type from matters where matters.case_id = c.id),
    under_way.steps, under_way.actors, under_way.promised_on, history.last_update_at, expiry.expires_on, found.words
  from conveyancing_cases c
  join words_of_cases(changed) found on found.case_id = c.id
  join steps_of_cases(changed) under_way on under_way.case_id = c.id
  join expiries_of_cases(changed) expiry on expiry.case_id = c.id
  join last_updates_of_cases(changed) history on history.case_id = c.id
  where c.id = any(changed)
  on conflict (case_id) do update set
    reference = excluded.reference, status = excluded.status, handlers = excluded.handlers,
    matter_types = excluded.matter_types, steps = excluded.steps, actors = excluded.actors,
    promised_on = excluded.promised_on, last_update_at = excluded.last_update_at, expires_on = excluded.expires_on,
    words = excluded.words
  where known is distinct from excluded;
  insert into case_filter_values as known (kind, value, label)
  select distinct on (value) 'handler', lower(handler ->> 'email') as value, handler ->> 'name' as label
  from conveyancing_cases c cross join jsonb_array_elements(c.handlers) as handler
  where c.id = any(changed) and handler ->> 'email' <> ''
  order by value, label
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
  perform list_steps_of_cases(changed);
end $$;

create function summarise_cases_of_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_words((select array_agg(distinct case_id) from rows_after));
  else
    perform summarise_words((select array_agg(distinct case_id) from rows_before));
  end if;
  return null;
end $$;

create function summarise_cases_of_history() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then
    changed := (select array_agg(distinct case_id) from rows_after where reference is not null);
  elsif tg_op = 'DELETE' then
    changed := (select array_agg(distinct case_id) from rows_before where reference is not null);
  else
    changed := (
      select array_agg(distinct n.case_id) from rows_after n join rows_before o on o.id = n.id
      where n.reference is not null and n.occurred_at <> o.occurred_at);
  end if;
  perform summarise_last_updates(changed);
  return null;
end $$;

create function summarise_cases_of_matters() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_after));
  elsif tg_op = 'DELETE' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_before));
  else
    perform summarise_cases((
      select array_agg(distinct n.case_id) from rows_after n join rows_before o on o.id = n.id
      where (n.reference, n.matter_type, n.status, n.property, n.target_completion_on, n.completed_on)
        is distinct from (o.reference, o.matter_type, o.status, o.property, o.target_completion_on, o.completed_on)));
  end if;
  return null;
end $$;

create function summarise_cases_of_milestones() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id
      where n.status in ('current', 'blocked')));
  elsif tg_op = 'DELETE' then
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.title, n.status, n.actor, n.next_update_by) is distinct from
        (o.title, o.status, o.actor, o.next_update_by)));
  end if;
  return null;
end $$;

create function summarise_cases_of_renamed() returns trigger language plpgsql as $$
begin
  perform summarise_words((
    select array_agg(distinct case_id) from rows_after n
    join rows_before o on o.id = n.id and (n.first_name, n.last_name) is distinct from (o.first_name, o.last_name)
    join case_clients on client_id = n.id));
  return null;
end $$;

create function summarise_cases_of_searches() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id));
  elsif tg_op = 'DELETE' then
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.valid_until, n.code, n.status in ('returned', 'reviewed'), n.status = 'cancelled') is distinct from
        (o.valid_until, o.code, o.status in ('returned', 'reviewed'), o.status = 'cancelled')));
  end if;
  return null;
end $$;

create function summarise_changed_cases() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(id) from rows_after));
  else
    perform summarise_cases((
      select array_agg(n.id) from rows_after n join rows_before o on o.id = n.id
      where (n.reference, n.title, n.status, n.handlers) is distinct from (o.reference, o.title, o.status, o.handlers)));
  end if;
  return null;
end $$;

create function summarise_expiries(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with expiry as materialized (select * from expiries_of_cases(changed))
  update case_summaries known set expires_on = expiry.expires_on from expiry
  where known.case_id = expiry.case_id and known.expires_on <> expiry.expires_on;
end $$;

create function summarise_last_updates(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with history as materialized (select * from last_updates_of_cases(changed))
  update case_summaries known set last_update_at = history.last_update_at from history
  where known.case_id = history.case_id and known.last_update_at <> history.last_update_at;
end $$;

create function summarise_steps(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with under_way as materialized (select * from steps_of_cases(changed))
  update case_summaries known
  set steps = under_way.steps, actors = under_way.actors, promised_on = under_way.promised_on from under_way
  where known.case_id = under_way.case_id and (known.steps, known.actors, known.promised_on)
    is distinct from (under_way.steps, under_way.actors, under_way.promised_on);
  perform list_steps_of_cases(changed);
end $$;

create function summarise_words(changed uuid[]) returns void language plpgsql set enable_seqscan to 'off' as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with found as materialized (select * from words_of_cases(changed))
  update case_summaries known set words = found.words from found
  where known.case_id = found.case_id and known.words <> found.words;
end $$;

create function unsettled_payments(client uuid) returns setof payments language sql stable as $$
  select * from payments
  where client in (client_id, confirmed_by) and (
    status in ('requires_payment_method', 'requires_action', 'processing')
    or dispute_status in ('inquiry', 'open')
    or exists (
      select from refunds where payment_id = payments.id
        and refunds.status in ('awaiting_approval', 'approved', 'pending', 'requires_action')))
$$;

create function wants_webhook_event(endpoint webhook_endpoints, event_type text) returns boolean language sql immutable as $$
  select endpoint.state = 'enabled' and (endpoint.event_types is null or event_type = any(endpoint.event_types))
$$;

create function withdraw_match() returns trigger language plpgsql as $$
begin
  if new.status in ('failed', 'cancelled') and old.status not in ('failed', 'cancelled') then
    new.matched_on := null;
    new.matched_by := null;
    new.matched_by_staff := null;
  end if;
  return new;
end $$;

create function words_of_cases(searched uuid[]) returns table(case_id uuid, words tsvector) language sql stable as $$
  select c.id, coalesce((
    select array_to_tsvector(array_agg(spelling.word))
    from (
      select left(word, 60) as word
      from regexp_split_to_table(comparable_text(concat_ws(' ', c.reference, c.title, of_clients.names, of_matters.texts)),
        '[^[:alnum:]]+') as word
      union all
      select unnest(joined_words(c.reference) || of_matters.joined)) as found
    cross join lateral (values (found.word), (nullif(ltrim(found.word, '0'), found.word))) as spelling (word)
    where spelling.word <> ''), '')
  from conveyancing_cases c
  cross join lateral (
    select string_agg(concat_ws(' ', first_name, last_name), ' ') as names
    from case_clients member join clients on clients.id = member.client_id where member.case_id = c.id) of_clients
  cross join lateral (
    select array_agg(joined_words(m.reference)) || array_agg(joined_words(m.property ->> 'postcode')) as joined,
      string_agg(concat_ws(' ', m.reference, m.property ->> 'address_lines', m.property ->> 'town',
        m.property ->> 'postcode'), ' ') as texts
    from matters m where m.case_id = c.id) of_matters
  where c.id = any(searched)
$$;
