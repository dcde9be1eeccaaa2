-- Payments: who goes on with one and from where, in which words they confirmed, what is counted against card testing,
-- and the mails that tell of it.

alter table payments
  -- The client who last asked to pay it, and the address that they asked from.
  add column taken_by uuid references clients on delete restrict,
  add column taken_from text,
  -- Which words the client who confirmed last had before them: a version of payment-wording.ts.
  add column wording text;
create index payments_open_of_payer on payments (taken_by)
  where status in ('requires_payment_method', 'requires_action');

alter table payment_changes
  -- From where, and in which words, where this change is a confirmation; else null.
  add column confirmed_from text,
  add column confirmed_wording text;

create function complete_confirmation() returns trigger language plpgsql as $$
begin
  if new.confirmed_by is not null then
    select taken_from, wording into new.confirmed_from, new.confirmed_wording
    from payments where id = new.payment_id;
  end if;
  return new;
end $$;
create trigger payment_changes_complete before insert on payment_changes
  for each row execute function complete_confirmation();

-- What is counted against card testing, for a client and for an address: payments that were begun, and cards that
-- were declined. Swept after a day.
create table payment_attempts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('start', 'decline')),
  payment_id uuid not null references payments on delete cascade,
  client_id uuid not null references clients on delete cascade,
  -- SHA-256 of the part of the address that one attacker cannot change at will; null where none is known.
  address bytea check (octet_length(address) = 32),
  -- The provider's event that told of a decline; null while only the catch-up, or the payer's own request, did.
  provider_event_id text,
  happened_at timestamptz not null
);
create index payment_attempts_client on payment_attempts (client_id, kind, happened_at);
create index payment_attempts_address on payment_attempts (address, kind, happened_at);
create index payment_attempts_payment on payment_attempts (payment_id);
create unique index payment_attempts_event on payment_attempts (payment_id, provider_event_id);

-- Every mail that tells of a payment, written in the transaction that it tells of.
create table payment_mails (
  payment_id uuid not null references payments on delete restrict,
  kind text not null check (kind in ('receipt', 'refund', 'not_paid')),
  -- Which of its kind: 1 for a receipt, the pence given back so far for a refund, a count for what was not paid.
  occasion integer not null,
  -- The one who confirmed last.
  client_id uuid not null references clients on delete restrict,
  -- Where it goes.
  address text not null,
  written_at timestamptz not null,
  -- Null until the post has taken it.
  sent_at timestamptz,
  message_id text,
  primary key (payment_id, kind, occasion)
);
