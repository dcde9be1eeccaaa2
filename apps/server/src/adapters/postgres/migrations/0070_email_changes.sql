-- Changes of email addresses that clients have started themselves, the latest of each client. Only the SHA-256 of the
-- tokens is stored: one is mailed to the new address and makes the change, the other to the former one and undoes it.
create table email_changes (
  client_id uuid primary key references clients on delete cascade,
  email text not null check (length(email) between 3 and 320),
  former_email text not null,
  -- Null until its mail is sent.
  confirm_hash bytea unique check (octet_length(confirm_hash) = 32),
  stop_hash bytea unique check (octet_length(stop_hash) = 32),
  created_at timestamptz(3) not null,
  -- The new address can be confirmed until then.
  expires_at timestamptz(3) not null,
  -- The former address can stop the change until then, or undo it.
  stoppable_until timestamptz(3) not null,
  confirmed_at timestamptz(3)
);

-- The address that the firm's system still sends, while the client has replaced it: their own address then stays.
alter table clients add column replaced_feed_email text;
