-- When the firm withdrew a link: it then leads to no payment, and says so.
alter table payment_links add column withdrawn_at timestamptz;
create index payment_links_of_case on payment_links (case_id, created_at);
