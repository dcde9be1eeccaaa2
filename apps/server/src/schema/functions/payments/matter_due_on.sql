-- The day by which finance has to name the matter of a payment: the firm's next working day after the payment.
create or replace function matter_due_on(payment payments) returns date language sql stable as $$
  with closed as (select shown_firm -> 'closed_on' as days from installation)
  select min(day)::date from generate_series(
    (payment.paid_at at time zone 'Europe/London')::date + 1,
    (payment.paid_at at time zone 'Europe/London')::date + 28, interval '1 day') day, closed
  where extract(dow from day) between 1 and 5 and not coalesce(closed.days ? day::date::text, false)
$$;
