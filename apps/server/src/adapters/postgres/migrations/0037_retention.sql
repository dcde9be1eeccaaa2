-- Rows that are deleted after some time are found by their age, however many there are.

create index payment_attempts_age on payment_attempts (happened_at);
create index payment_idempotency_keys_age on payment_idempotency_keys (created_at);
