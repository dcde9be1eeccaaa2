-- Money that another person's card paid is used only after a member of staff has recorded who paid it and why.
alter table payments add column payer_check jsonb;
comment on column payments.payer_check is
  'What the firm found out about the person whose card paid, if it is not the client''s; null until it is recorded.';
create index payments_awaiting_payer_check on payments (paid_at) where own_card is false and payer_check is null;
