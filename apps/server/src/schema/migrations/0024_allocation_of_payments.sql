-- Whose money the payment for a search is: clients' money, or money that repays the firm for what it paid first. Decided when the money
-- clears; finance can change it.
alter table payments add column allocation jsonb,
  add constraint payments_allocation check ((allocation ->> 'office')::integer between 0 and amount);
comment on column payments.allocation is
  'How much of the payment repays the firm, who decided that, when and why; null before the money of a search has cleared.';
alter table payment_changes add column allocation jsonb;
comment on column payment_changes.allocation is 'The allocation, if this change is one.';
create index payment_changes_allocation on payment_changes (payment_id, id) where allocation is not null;
-- A decision that changes after a transfer was recorded leaves only the difference to move.
alter table payouts add column moved integer not null default 0;
comment on column payouts.moved is
  'Pence that the firm had moved to the client account before the sum to move changed; negative for the other way.';
