-- When a mail last reported to the client that their email address was changed: at most one an hour, so that no feed key
-- can mail any number of addresses.
alter table clients add column email_change_mailed_at timestamptz(3);
