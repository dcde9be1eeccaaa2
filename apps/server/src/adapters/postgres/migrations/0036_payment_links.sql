-- The payment links that the firm has mailed: who was asked to pay for what, at which price, and when they opened it. The
-- link is no secret: it only works after the client has signed in.
create table payment_links (
  id uuid primary key,
  client_id uuid not null references clients on delete cascade,
  case_id uuid not null references conveyancing_cases on delete cascade,
  case_search_id uuid references case_searches on delete cascade,
  bill_id uuid references bills on delete cascade,
  -- Of money that is neither for a search nor for a bill.
  category text,
  description text not null,
  -- Pence, when the link was sent.
  amount integer not null check (amount > 0),
  -- The same request is mailed to a client once.
  request_key text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  message_id text,
  opened_at timestamptz,
  unique (client_id, request_key),
  check (num_nonnulls(case_search_id, bill_id, category) = 1)
);
create index payment_links_of_client on payment_links (client_id, created_at);
