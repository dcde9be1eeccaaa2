-- Tells a restored database from one that has only moved on. Servers compare the record of payments with the provider and
-- note here until when both agree; a restore takes this back.

create table payment_continuity (
  only_row boolean primary key default true check (only_row),
  -- Increases with every comparison. A server that has seen a higher number is looking at a restored database.
  rounds bigint not null default 0,
  -- Until when every intent of the provider is known to have its payment here.
  checked_until timestamptz not null default now(),
  -- Since when no payment is accepted; null while payments are accepted.
  closed_at timestamptz,
  closed_reason text,
  -- Intents without a payment here that an operator has dealt with.
  left_intents text[] not null default '{}',
  check ((closed_at is null) = (closed_reason is null))
);
insert into payment_continuity default values;
