-- The check of another person who paid, as clients see it: only when it was done. Null for the client's own money.
create or replace function shown_payer_check(payment payments) returns json language sql stable as $$
  select case when payment.own_card is false and payment.paid_at is not null
    then json_build_object('done_at', payment.payer_check ->> 'recorded_at') end
$$;
