-- How the payer's statement shows a payment, as the provider says; null for payments of before, and where no money moved.
alter table payments add column statement_descriptor text;

-- What a statement would show if the sandbox moved money.
alter table sandbox_intents add column statement_descriptor text;
