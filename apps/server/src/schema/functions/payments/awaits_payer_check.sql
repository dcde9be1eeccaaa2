-- Whether the money of a payment must not be used yet: another person's card paid it, and no one has recorded who that is.
create or replace function awaits_payer_check(payment payments) returns boolean language sql stable as $$
  select payment.own_card is false and payment.paid_at is not null and payment.payer_check is null
    and payment.refunded_amount < payment.amount and payment.dispute_status is distinct from 'lost'
$$;
