-- Today and the list of cases.

-- What staff decided about an item of Today. The items themselves are derived from the data and never stored.
create table desk_items (
  kind text not null,
  subject_id uuid not null,
  -- The row is about the item with this occasion only: a later one of the same subject starts without it.
  occasion text not null,
  version integer not null check (version > 0),
  assigned_to uuid references staff on delete restrict,
  snoozed_until date,
  done_at timestamptz(3),
  -- Null for what the migration marked as done.
  changed_by uuid references staff on delete restrict,
  changed_at timestamptz(3) not null,
  primary key (kind, subject_id)
);

-- Indexes of what Today looks for: each has few rows, whatever the number of cases.
create index case_searches_to_order on case_searches (paid_at) where status = 'paid';
create index document_signatures_age on document_signatures (signed_at);
create index tasks_due on tasks (due_on) where status = 'open' and due_on is not null;
create index documents_on_paper on documents (shared_at)
  where signing in ('deed', 'wet_ink') and received_on is null;
create index password_links_unanswered on password_links (expires_at)
  where purpose = 'invitation' and used_at is null;
create index payments_to_review on payments (updated_at) where review_reason is not null;
create index bills_due on bills ((coalesce(due_on, issued_on)))
  where status = 'issued' and not due_on_completion and paid_otherwise < net + vat;
create index bills_due_on_completion on bills (matter_id)
  where status = 'issued' and due_on_completion and paid_otherwise < net + vat;

-- A member's own filters for the list of cases.
create table case_views (
  id uuid primary key,
  staff_id uuid not null references staff on delete restrict,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  created_at timestamptz(3) not null
);
create unique index case_views_name on case_views (staff_id, lower(name));

-- One row for each case, derived from its records by the triggers below, so that searching, filtering and sorting 100,000
-- cases needs only this table. Nothing else writes it.
create table case_summaries (
  case_id uuid primary key references conveyancing_cases on delete cascade,
  reference text not null,
  status text not null,
  -- Email addresses in lower case.
  handlers text[] not null,
  matter_types text[] not null,
  -- The keys of the steps under way, and who usually does them.
  steps text[] not null,
  actors text[] not null,
  -- The earliest promised update of a step under way; infinity without one.
  promised_on date not null,
  -- When the firm last added to the history; -infinity if it never has.
  last_update_at timestamptz not null,
  -- The earliest day on which a search result that is still needed expires; infinity without one.
  expires_on date not null,
  words tsvector not null
);
create index case_summaries_reference on case_summaries (reference);
create index case_summaries_promise on case_summaries (promised_on, reference);
create index case_summaries_last_update on case_summaries (last_update_at, reference);
create index case_summaries_expiry on case_summaries (expires_on) where expires_on < 'infinity';
create index case_summaries_words on case_summaries using gin (words);
create index case_summaries_handlers on case_summaries using gin (handlers);
create index case_summaries_steps on case_summaries using gin (steps);

-- The handlers and steps of all cases, for the choices of the filters.
create table case_filter_values (
  kind text not null check (kind in ('handler', 'step')),
  value text not null,
  label text not null,
  primary key (kind, value)
);

-- Splits a text into words that can be compared: lower case, without accents and apostrophes.
create function comparable_words(sent text) returns text[] language sql immutable parallel safe as $$
  select array(
    select left(word, 60) from regexp_split_to_table(
      regexp_replace(lower(normalize(sent, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g'), '[^[:alnum:]]+') as word
    where word <> '')
$$;

-- Joins the words of a reference or postcode, for people who leave out what separates them.
create function joined_words(sent text) returns text language sql immutable parallel safe as $$
  select left(array_to_string(comparable_words(sent), ''), 60)
$$;

-- A query for rows that have a word with each of these starts; null without any.
create function starts_of_words(sent text) returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery from unnest(comparable_words(sent)) as word
$$;

create function words_of_case(searched uuid) returns tsvector language sql stable as $$
  select array_to_tsvector(array(
    select distinct spelling.word from (
      select unnest(comparable_words(concat_ws(' ', c.reference, c.title))) as word
        from conveyancing_cases c where c.id = searched
      union all
      select unnest(array[joined_words(c.reference)]) from conveyancing_cases c where c.id = searched
      union all
      select unnest(comparable_words(concat_ws(' ', first_name, last_name)))
        from case_clients join clients on clients.id = client_id where case_id = searched
      union all
      select unnest(comparable_words(concat_ws(' ', reference, property ->> 'address_lines', property ->> 'town',
          property ->> 'postcode')) || joined_words(reference) || joined_words(property ->> 'postcode'))
        from matters where case_id = searched
    ) as found
    cross join lateral (values (found.word), (nullif(ltrim(found.word, '0'), found.word))) as spelling (word)
    where spelling.word <> ''))
$$;

create function last_update_of_case(searched uuid) returns timestamptz language sql stable as $$
  select coalesce((
    select occurred_at from history_entries
    -- Without a reference: what Keyturn recorded about clients.
    where case_id = searched and reference is not null order by occurred_at desc, id desc limit 1), '-infinity')
$$;

-- Derives the rows of these cases again.
create function summarise_cases(changed uuid[]) returns void language plpgsql as $$
begin
  if changed is null then return; end if;
  -- In one order, and before the records are read: a transaction that changes the same case waits, and then sees both changes.
  perform from case_summaries where case_id = any(changed) order by case_id for update;
  insert into case_summaries as known (case_id, reference, status, handlers, matter_types, steps, actors, promised_on,
      last_update_at, expires_on, words)
  select c.id, c.reference, c.status,
    array(select distinct lower(handler ->> 'email') from jsonb_array_elements(c.handlers) as handler
      where handler ->> 'email' <> ''),
    array(select distinct matter_type from matters where case_id = c.id),
    coalesce(under_way.steps, '{}'), coalesce(under_way.actors, '{}'), coalesce(under_way.promised_on, 'infinity'),
    last_update_of_case(c.id), coalesce(expiry.expires_on, 'infinity'), words_of_case(c.id)
  from conveyancing_cases c
  left join lateral (
    select array_agg(distinct step.key) as steps, array_agg(distinct step.actor) as actors,
      min(step.next_update_by) filter (where m.status = 'active') as promised_on
    from matters m join milestones step on step.matter_id = m.id
    where m.case_id = c.id and step.status in ('current', 'blocked') and m.status in ('active', 'on_hold')
      and c.status in ('active', 'on_hold')) under_way on true
  left join lateral (
    select min(result.valid_until) as expires_on
    from matters m join case_searches result on result.matter_id = m.id
    where m.case_id = c.id and c.status in ('active', 'on_hold') and m.status in ('active', 'on_hold')
      and m.completed_on is null and result.status in ('returned', 'reviewed')
      and result.valid_until < coalesce(m.target_completion_on, 'infinity')
      -- Renewed, or being renewed.
      and not exists (
        select from case_searches newer
        where newer.matter_id = m.id and newer.code = result.code and newer.id <> result.id
          and (newer.status in ('awaiting_payment', 'paid', 'ordered')
            or newer.status in ('returned', 'reviewed') and newer.valid_until > result.valid_until))) expiry on true
  where c.id = any(changed)
  on conflict (case_id) do update set
    reference = excluded.reference, status = excluded.status, handlers = excluded.handlers,
    matter_types = excluded.matter_types, steps = excluded.steps, actors = excluded.actors,
    promised_on = excluded.promised_on, last_update_at = excluded.last_update_at, expires_on = excluded.expires_on,
    words = excluded.words
  where known is distinct from excluded;
  insert into case_filter_values as known (kind, value, label)
  select distinct on (kind, value) kind, value, label from (
    select 'handler' as kind, lower(handler ->> 'email') as value, handler ->> 'name' as label
      from conveyancing_cases c cross join jsonb_array_elements(c.handlers) as handler
      where c.id = any(changed) and handler ->> 'email' <> ''
    union all
    select 'step', step.key, step.title
      from matters m join milestones step on step.matter_id = m.id
      where m.case_id = any(changed) and step.status in ('current', 'blocked')) as found
  order by kind, value, label
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
end $$;

create function summarise_changed_cases() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(id) from rows_after));
  else
    perform summarise_cases((
      select array_agg(n.id) from rows_after n join rows_before o on o.id = n.id
      where (n.reference, n.title, n.status, n.handlers) is distinct from (o.reference, o.title, o.status, o.handlers)));
  end if;
  return null;
end $$;

-- For case_clients, which are never updated.
create function summarise_cases_of_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_after));
  else
    perform summarise_cases((select array_agg(distinct case_id) from rows_before));
  end if;
  return null;
end $$;

create function summarise_cases_of_renamed() returns trigger language plpgsql as $$
begin
  perform summarise_cases((
    select array_agg(distinct case_id) from rows_after n
    join rows_before o on o.id = n.id and (n.first_name, n.last_name) is distinct from (o.first_name, o.last_name)
    join case_clients on client_id = n.id));
  return null;
end $$;

create function summarise_cases_of_matters() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_after));
  elsif tg_op = 'DELETE' then
    perform summarise_cases((select array_agg(distinct case_id) from rows_before));
  else
    perform summarise_cases((
      select array_agg(distinct n.case_id) from rows_after n join rows_before o on o.id = n.id
      where (n.reference, n.matter_type, n.status, n.property, n.target_completion_on, n.completed_on)
        is distinct from (o.reference, o.matter_type, o.status, o.property, o.target_completion_on, o.completed_on)));
  end if;
  return null;
end $$;

create function summarise_cases_of_milestones() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id
      where n.status in ('current', 'blocked')));
  elsif tg_op = 'DELETE' then
    perform summarise_cases((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_cases((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.title, n.status, n.actor, n.next_update_by) is distinct from
        (o.title, o.status, o.actor, o.next_update_by)));
  end if;
  return null;
end $$;

-- Only about results: paying for a search changes no summary, so a payment never waits for one.
create function summarise_cases_of_searches() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_cases((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id));
  elsif tg_op = 'DELETE' then
    perform summarise_cases((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_cases((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.valid_until, n.code, n.status in ('returned', 'reviewed'), n.status = 'cancelled') is distinct from
        (o.valid_until, o.code, o.status in ('returned', 'reviewed'), o.status = 'cancelled')));
  end if;
  return null;
end $$;

create function summarise_cases_of_history() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then
    changed := (select array_agg(distinct case_id) from rows_after where reference is not null);
  elsif tg_op = 'DELETE' then
    changed := (select array_agg(distinct case_id) from rows_before where reference is not null);
  else
    changed := (
      select array_agg(distinct n.case_id) from rows_after n join rows_before o on o.id = n.id
      where n.reference is not null and n.occurred_at <> o.occurred_at);
  end if;
  if changed is null then return null; end if;
  perform from case_summaries where case_id = any(changed) order by case_id for update;
  update case_summaries set last_update_at = last_update_of_case(case_id)
    where case_id = any(changed) and last_update_at <> last_update_of_case(case_id);
  return null;
end $$;

do $$
declare
  watched record;
  event text;
begin
  for watched in
    select * from (values
      ('conveyancing_cases', 'summarise_changed_cases', array['insert', 'update']),
      ('case_clients', 'summarise_cases_of_clients', array['insert', 'delete']),
      ('clients', 'summarise_cases_of_renamed', array['update']),
      ('matters', 'summarise_cases_of_matters', array['insert', 'update', 'delete']),
      ('milestones', 'summarise_cases_of_milestones', array['insert', 'update', 'delete']),
      ('case_searches', 'summarise_cases_of_searches', array['insert', 'update', 'delete']),
      ('history_entries', 'summarise_cases_of_history', array['insert', 'update', 'delete'])
    ) as watched (name, derive, events)
  loop
    foreach event in array watched.events loop
      execute format('create trigger %I after %s on %I %s for each statement execute function %I()',
        watched.name || '_summary_' || event, event, watched.name,
        case event
          when 'insert' then 'referencing new table as rows_after'
          when 'delete' then 'referencing old table as rows_before'
          else 'referencing old table as rows_before new table as rows_after'
        end, watched.derive);
    end loop;
  end loop;
end $$;

select summarise_cases(array_agg(id)) from conveyancing_cases;

-- Documents that were signed before staff had this list were dealt with elsewhere.
insert into desk_items (kind, subject_id, occasion, version, done_at, changed_at)
select 'document_signed', document_id, (extract(epoch from max(signed_at)) * 1000)::bigint::text, 1, now(), now()
from document_signatures group by document_id;
