-- Deletes the payments of a case with everything about them.
create or replace function erase_payments(erasure bigint, erased uuid[]) returns void language plpgsql as $$
declare
  part text[];
  of_intents constant text := 'intent_id in (select provider_intent_id from payments where id = any($1))';
begin
  if exists (select from erasures where id = erasure and basis <> 'restored') and (
    exists (
      select from payments where id = any(erased) and (
        status in ('requires_payment_method', 'requires_action', 'processing') or dispute_status in ('inquiry', 'open')))
    or exists (
      select from refunds where payment_id = any(erased)
        and status in ('awaiting_approval', 'approved', 'pending', 'requires_action')))
  then
    raise exception 'a payment is under way' using errcode = 'restrict_violation';
  end if;
  insert into erased_payments (
    payment_id, erasure_id, provider, provider_intent_id, status, amount, refunded_amount, paid_at)
    select id, erasure, provider, provider_intent_id, status, amount, refunded_amount, paid_at
    from payments where id = any(erased);
  update payments set last_refund_id = null where id = any(erased) and last_refund_id is not null;
  foreach part slice 1 in array array[
    ['provider_events', of_intents],
    ['sandbox_charges', of_intents],
    ['sandbox_events', of_intents],
    ['sandbox_refunds', of_intents],
    ['sandbox_disputes', of_intents],
    ['sandbox_fraud_warnings', of_intents],
    ['sandbox_reviews', of_intents],
    ['sandbox_intents', 'id in (select provider_intent_id from payments where id = any($1))'],
    ['payment_mails', 'payment_id = any($1)'],
    ['receipt_files', 'payment_id = any($1)'],
    ['payment_changes', 'payment_id = any($1)'],
    ['disputes', 'payment_id = any($1)'],
    ['early_fraud_warnings', 'payment_id = any($1)'],
    ['provider_reviews', 'payment_id = any($1)'],
    ['refunds', 'payment_id = any($1)'],
    ['payment_attempts', 'payment_id = any($1)'],
    ['payment_idempotency_keys', 'payment_id = any($1)'],
    ['payments', 'id = any($1)']
  ] loop
    perform erase_rows(erasure, part[1], part[2], erased);
  end loop;
end $$;
