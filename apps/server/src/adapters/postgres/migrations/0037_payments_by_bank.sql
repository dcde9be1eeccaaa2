-- A payment is made with a card or by bank. The method is part of what the provider's intent was created with, so it never
-- changes: a client who chooses another method starts another payment.

alter table payments
  add column method text not null default 'card' check (method in ('card', 'bank')),
  -- A payment by bank has no card, and its account is the client's own.
  add constraint payments_by_bank_have_no_card
    check (method = 'card' or (card_brand is null and card_last4 is null and own_card is not false));

create function check_payment_method() returns trigger language plpgsql as $$
begin
  raise exception 'the method of a payment does not change'
    using errcode = 'check_violation', constraint = 'payment_terms';
end $$;
create trigger payments_check_method before update on payments
  for each row when (new.method <> old.method) execute function check_payment_method();

-- The sandbox's side: where the client approves the payment, and where that page leads back to.
alter table sandbox_intents
  add column method text not null default 'card',
  add column bank_token text unique,
  add column return_url text;
