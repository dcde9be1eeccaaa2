-- Reports that a dispute was opened, or closed.
create or replace function record_disputed_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
      select 'payment.disputed', new.opened_at, coalesce(confirmed_by, client_id), id, new.id, new.amount
      from payments where id = new.payment_id;
  end if;
  if new.status = 'closed' then
    insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount, outcome)
      select 'payment.dispute_closed', new.closed_at, coalesce(confirmed_by, client_id), id, new.id, new.amount,
        new.outcome
      from payments where id = new.payment_id;
  end if;
  return null;
end $$;
