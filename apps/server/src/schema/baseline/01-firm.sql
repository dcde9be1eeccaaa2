-- The firm: which installation this is, and what staff edit about the firm.

create table installation (
  only_row boolean default true primary key check (only_row),
  holds text not null default 'nothing' check (holds in ('nothing', 'demonstration', 'real')),
  firm jsonb,
  secret text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  updated_at timestamptz not null default now(),
  demonstration_complete boolean not null default false,
  installation_id uuid not null default gen_random_uuid(),
  former_installation_ids uuid[] not null default '{}',
  feed_firm jsonb,
  firm_version integer not null default 1,
  firm_changed_at timestamptz(3) not null default now(),
  firm_changed_by text,
  shown_firm jsonb
);
comment on table installation is 'The one row about this installation.';
comment on column installation.holds is 'Demonstration data is never mixed with real data.';
comment on column installation.secret is 'The key of signatures and seals. It never leaves the server.';
comment on column installation.demonstration_complete is
  'Whether the demonstration firm was loaded completely. Otherwise the next start loads it again.';
comment on column installation.installation_id is 'Never changes, also in a copy of the database.';
comment on column installation.former_installation_ids is
  'The ids of the installations that this database is a copy of: keyturn payments new-installation gives a '
  'copy its own.';
comment on column installation.feed_firm is
  'The firm as the case feed last sent it, so that the same feed again leaves changes of the desk alone.';
comment on column installation.firm_version is
  'Increases with each change of the firm''s details, also with those of the feed.';
comment on column installation.shown_firm is
  'The firm as clients get it, closed on bank holidays too. Every read of a case has it, so it is stored when '
  'the firm or the bank holidays change, instead of derived for each read.';

insert into installation default values;

create table firm_data (
  kind text not null,
  version integer not null check (version > 0),
  value jsonb not null,
  changed_at timestamptz(3) not null default now(),
  changed_by text,
  primary key (kind, version)
);
comment on table firm_data is
  'What the firm edits at the desk: every version of it. The highest is the current one, and the first is what '
  'Keyturn ships.';
comment on column firm_data.changed_by is 'The name of the staff member at the time; null: as Keyturn ships it.';

create table firm_logos (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text not null check (media_type in ('image/png', 'image/webp')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  content bytea not null,
  created_at timestamptz(3) not null default now()
);
comment on table firm_logos is 'Logos, by the SHA-256 of their file.';
