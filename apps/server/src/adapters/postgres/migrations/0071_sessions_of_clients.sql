-- What clients see of their sessions, and how they name one that they end.
alter table sessions
  add column id uuid not null default gen_random_uuid(),
  -- The browser in plain words. Its own description is not stored.
  add column device text,
  add column signed_in_with text not null default 'password';

create unique index sessions_id on sessions (id);
