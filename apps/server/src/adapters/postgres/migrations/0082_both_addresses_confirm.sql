-- A change of the email address is made once both addresses have confirmed it.
alter table email_changes
  add column new_confirmed_at timestamptz(3),
  add column former_confirmed_at timestamptz(3);
