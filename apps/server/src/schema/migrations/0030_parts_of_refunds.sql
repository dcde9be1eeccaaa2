-- Finance may say how much of the refund of a mixed payment is the firm's money.
alter table refunds add column office integer, add constraint refunds_office check (office between 0 and amount);
comment on column refunds.office is
  'Pence of it that are the firm''s money, the rest is client money; null if no one said, and then the rule decides.';
alter table balance_transactions add column refund_id text;
comment on column balance_transactions.refund_id is
  'The provider''s id of the refund that it made or took back; null for other movements, and before release 0.3.';
