-- Records an event about a payment for webhooks.
create or replace function record_payment_event(event_type text, fact text, happened_at timestamptz, payment payments)
  returns void language sql as $$
  select record_webhook_event(event_type, fact, happened_at, payment.case_id, jsonb_build_object(
    'case', (select reference from conveyancing_cases where id = payment.case_id),
    'matter', (select reference from matters where id = payment.matter_id),
    'client', (select reference from clients where id = coalesce(payment.confirmed_by, payment.client_id)),
    'payment', payment.id,
    'search', (select reference from case_searches where id = payment.case_search_id),
    'bill', (select reference from bills where id = payment.bill_id)
  ), '/payments')
$$;
