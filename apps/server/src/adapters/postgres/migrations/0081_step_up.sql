-- When and how the client of a session last confirmed their identity in it. Unlike `confirmed_at`, the sign-in does not
-- count.
alter table sessions
  add column stepped_up_at timestamptz(3),
  add column stepped_up_with text,
  add constraint sessions_step_up check ((stepped_up_at is null) = (stepped_up_with is null));
