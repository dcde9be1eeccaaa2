-- What is agreed at exchange, beside its day: the deposit, and the member of the firm who authorised it.
alter table matters add column exchange jsonb;
comment on column matters.exchange is
  'The deposit, who authorised the exchange and on which day; null if the exchange was not recorded with them.';
