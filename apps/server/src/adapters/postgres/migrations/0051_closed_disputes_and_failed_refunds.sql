-- Two changes that were not reported: a dispute that is first found after it was closed was reported as closed, but never
-- as opened; and a refund that failed after it was made was not reported as failed. Refunds and disputes name the client
-- who confirmed the payment, as payments do.

create or replace function record_refunded_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, payment_id, subject_id, amount)
    select case when new.status = 'succeeded' then 'payment.refunded' else 'payment.refund_failed' end,
      coalesce(new.failed_at, new.updated_at), coalesce(confirmed_by, client_id), id, new.id, new.amount
    from payments where id = new.payment_id;
  return null;
end $$;
create trigger refunds_client_change_failed after update on refunds for each row
  when (old.status = 'succeeded' and new.status in ('failed', 'cancelled')) execute function record_refunded_change();

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

create or replace function record_event_of_change() returns trigger language plpgsql as $$
begin
  case new.type
    when 'document.signed', 'document.read' then
      perform record_document_event(new.type, new.occurred_at, new.subject_id, new.client_id);
    when 'client.activated' then
      perform record_webhook_event(new.type, id::text, new.occurred_at, id, jsonb_build_object('client', reference),
        '/login') from clients where id = new.client_id;
    when 'payment.succeeded' then
      perform record_payment_event(new.type, payments.id::text, new.occurred_at, payments)
        from payments where id = new.payment_id;
    when 'payment.refunded', 'payment.refund_failed' then
      perform record_payment_event(new.type, payments.id || ' ' || provider_refund_id, new.occurred_at, payments)
        from refunds join payments on payments.id = payment_id where refunds.id = new.subject_id;
    when 'payment.disputed' then
      perform record_payment_event(new.type, disputes.provider || ' ' || provider_dispute_id, new.occurred_at, payments)
        from disputes join payments on payments.id = payment_id where disputes.id = new.subject_id;
    else null;
  end case;
  return null;
end $$;
