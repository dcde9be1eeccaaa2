-- The PDF of each receipt, made once: a payment has another one after each refund, and when its money has cleared.
create table receipt_files (
  payment_id uuid not null references payments on delete restrict,
  -- Pence, as the receipt shows.
  refunded_amount integer not null check (refunded_amount >= 0),
  is_cleared boolean not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  made_at timestamptz not null,
  primary key (payment_id, refunded_amount, is_cleared)
);
create trigger receipt_files_append_only before update or delete or truncate on receipt_files
  for each statement execute function refuse_change();

-- The server's own database role may not write to the record: only this trigger function does, as the tables' owner.
alter function record_payment_change() security definer set search_path = public, pg_temp;

-- Requests of the current window, counted for all servers together. Unlogged: after a crash all windows start again.
create unlogged table request_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
