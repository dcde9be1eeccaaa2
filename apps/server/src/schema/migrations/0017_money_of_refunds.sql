-- Where the money of a refund is, so that no refund overdraws a client.
alter table refunds add column money_state text check (money_state in ('held', 'spent', 'firm'));
comment on column refunds.money_state is
  'held: not paid out of the client account; spent: all or a part was; firm: it was the firm''s. As the person who asked for the refund said; null if no one was asked.';
