-- A change of the email address is made once both addresses have confirmed it.
alter table email_changes
  add column new_confirmed_at timestamptz(3),
  add column former_confirmed_at timestamptz(3);

-- The known device on which a session was started, so that signing it out forgets the device. Null for older sessions.
alter table sessions add column device_hash bytea check (octet_length(device_hash) = 32);
-- Whether the device is known through a password link alone: its first sign-in is mailed to the client.
alter table known_devices add column awaits_sign_in boolean not null default false;
