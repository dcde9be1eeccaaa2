-- A firm can have a second account at Stripe, which pays into its business account instead of its client account.

alter table payments drop constraint payments_provider_check;
alter table payments add check (provider in ('sandbox', 'stripe', 'stripe_business'));
