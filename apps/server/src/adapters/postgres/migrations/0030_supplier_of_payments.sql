-- The firm when a payment was made, for its VAT receipt: name, address and VAT number. Null for unpaid payments and for
-- those of before.
alter table payments add column supplier jsonb;
