-- What is in maintenance: a row for each part that is, and none for the others.
create table maintenance (
  area text primary key check (area in ('general', 'case-history')),
  -- In the firm's own words; null: the usual ones.
  message text check (length(message) between 1 and 500),
  -- When it is expected to end. It ends when it is switched off.
  until timestamptz,
  since timestamptz not null default now()
);
