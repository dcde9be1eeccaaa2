-- Balances of matters in the firm’s own ledger, which its system sends with the day they are of. Clients never see them.
alter table matters add column ledger jsonb;
comment on column matters.ledger is
  'The balances in the firm’s own ledger, in pence, and the day they are of; null if its system sends none.';
create index matters_with_ledger on matters (((ledger ->> 'client')::bigint)) where ledger is not null;
