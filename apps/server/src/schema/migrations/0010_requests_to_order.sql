-- Which words the client confirmed when they asked for a search to be ordered, and the words themselves.
alter table payments
  add column order_wording text,
  add column order_words text;
comment on column payments.order_wording is
  'The version of order-wording.ts in which the client asked for the search to be ordered; null without such a request.';
comment on column payments.order_words is 'The words of that request as the client was shown them, with the refund rule.';
