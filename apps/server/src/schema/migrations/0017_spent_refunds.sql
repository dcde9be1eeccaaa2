-- Whether the money of a refund has been spent, so that the firm makes the refund from its own money.
alter table refunds add column is_money_spent boolean;
comment on column refunds.is_money_spent is
  'Whether the firm had spent the money, as the person who asked for the refund said; null for refunds at the provider and with a command.';
