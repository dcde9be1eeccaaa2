-- What the firm knows of the clients' right to cancel decides how they ask for a search to be ordered.
alter table conveyancing_cases
  add column cancellation text not null default 'unknown'
    constraint conveyancing_cases_cancellation_check check (cancellation in ('none', 'ends_on', 'unknown')),
  add column cancellation_ends_on date,
  add column cancellation_notice_given boolean not null default false,
  add constraint conveyancing_cases_cancellation_day_check
    check ((cancellation = 'ends_on') = (cancellation_ends_on is not null)),
  add constraint conveyancing_cases_cancellation_notice_check
    check ((cancellation = 'ends_on') = cancellation_notice_given);
comment on column conveyancing_cases.cancellation is
  'The clients'' right to cancel the firm''s services: none if they are no consumers or signed at the office.';
comment on column conveyancing_cases.cancellation_ends_on is 'The last day of the right to cancel.';
comment on column conveyancing_cases.cancellation_notice_given is
  'Whether the firm gave the notice of the right to cancel and the cost of an early start; without it the period is unknown.';
