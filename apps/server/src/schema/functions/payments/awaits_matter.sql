-- Whether finance has to name the matter of a payment: the client chose none of several, and the firm has some of the money. A
-- bill without a matter is for the case as a whole.
create or replace function awaits_matter(payment payments) returns boolean language sql stable as $$
  select payment.matter_id is null and payment.bill_id is null and payment.paid_at is not null
    and payment.refunded_amount < payment.amount and payment.dispute_status is distinct from 'lost'
    and (select count(*) from matters where case_id = payment.case_id) > 1
$$;
