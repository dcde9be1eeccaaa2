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
  vat_rate double precision not null check (vat_rate between 0 and 100),
  vat integer not null check (vat >= 0),
  status text not null check (status in ('issued', 'cancelled')),
  -- Pence that the firm received by other means than by card in Keyturn.
  paid_otherwise integer not null check (paid_otherwise >= 0),
  feed_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index bills_of_case on bills (case_id);

alter table payments
  -- The bill that it pays; null for all other money, and for legal fees that were paid before bills existed.
  add column bill_id uuid references bills;
create index payments_of_bill on payments (bill_id) where bill_id is not null;

create trigger bills_broadcast_insert after insert on bills
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');
create trigger bills_broadcast_update after update on bills
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');
