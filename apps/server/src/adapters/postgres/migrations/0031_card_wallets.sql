-- The wallet in which the payer keeps the card that paid; null for a card that was typed in.
alter table payments add column card_wallet text check (card_wallet in ('apple_pay', 'google_pay'));
