-- Finance matches payouts with the bank statement, and records the transfer of what the provider took out of them. For payouts from
-- before this release it did both in the firm's own books.
alter table payouts
  add column matched_on date,
  add column matched_by text,
  add column matched_by_staff uuid,
  add column to_transfer integer,
  add column transferred_on date,
  add column transferred_by text,
  add column transferred_by_staff uuid,
  add column precedes_matching boolean not null default false;
update payouts set precedes_matching = true;
comment on column payouts.matched_on is
  'The day of the bank statement with it; null until finance has found it there, and again if the bank returns it.';
comment on column payouts.to_transfer is
  'Pence to move from the business account to the client account, negative for the other way; null until it is known what the payout contains.';
comment on column payouts.transferred_on is
  'The day on which the firm moved that to the client account; null until finance has recorded it.';
comment on column payouts.precedes_matching is
  'Whether it was made before Keyturn recorded matches, so that a missing one means nothing.';
create index payouts_to_settle on payouts (arrives_on) where not precedes_matching and transferred_on is null;
