-- A change derives only the part of a case's summary that depends on it, for all cases of a statement together. The words of
-- a case cost most: they are split once, and only when a name, a reference or an address has changed.

-- Lower case, without accents and apostrophes.
create function comparable_text(sent text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(normalize(sent, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g')
$$;

create or replace function comparable_words(sent text) returns text[] language sql immutable parallel safe as $$
  select array(
    select left(word, 60) from regexp_split_to_table(comparable_text(sent), '[^[:alnum:]]+') as word where word <> '')
$$;

create or replace function joined_words(sent text) returns text language sql immutable parallel safe as $$
  select left(regexp_replace(comparable_text(sent), '[^[:alnum:]]+', '', 'g'), 60)
$$;

-- The parts of the summaries of these cases. PostgreSQL merges these functions into the statements that use them.

create function words_of_cases(searched uuid[]) returns table (case_id uuid, words tsvector) language sql stable as $$
  select c.id, coalesce((
    select array_to_tsvector(array_agg(spelling.word))
    from (
      select left(word, 60) as word
      from regexp_split_to_table(comparable_text(concat_ws(' ', c.reference, c.title, of_clients.names, of_matters.texts)),
        '[^[:alnum:]]+') as word
      union all
      select unnest(joined_words(c.reference) || of_matters.joined)) as found
    cross join lateral (values (found.word), (nullif(ltrim(found.word, '0'), found.word))) as spelling (word)
    where spelling.word <> ''), '')
  from conveyancing_cases c
  cross join lateral (
    select string_agg(concat_ws(' ', first_name, last_name), ' ') as names
    from case_clients member join clients on clients.id = member.client_id where member.case_id = c.id) of_clients
  cross join lateral (
    select array_agg(joined_words(m.reference)) || array_agg(joined_words(m.property ->> 'postcode')) as joined,
      string_agg(concat_ws(' ', m.reference, m.property ->> 'address_lines', m.property ->> 'town',
        m.property ->> 'postcode'), ' ') as texts
    from matters m where m.case_id = c.id) of_matters
  where c.id = any(searched)
$$;

create function steps_of_cases(searched uuid[])
returns table (case_id uuid, steps text[], actors text[], promised_on date) language sql stable as $$
  select c.id, coalesce(under_way.steps, '{}'), coalesce(under_way.actors, '{}'),
    coalesce(under_way.promised_on, 'infinity')
  from conveyancing_cases c
  cross join lateral (
    select array_agg(distinct step.key) as steps, array_agg(distinct step.actor) as actors,
      min(step.next_update_by) filter (where m.status = 'active') as promised_on
    from matters m join milestones step on step.matter_id = m.id
    where m.case_id = c.id and step.status in ('current', 'blocked') and m.status in ('active', 'on_hold')
      and c.status in ('active', 'on_hold')) under_way
  where c.id = any(searched)
$$;

create function expiries_of_cases(searched uuid[]) returns table (case_id uuid, expires_on date)
language sql stable as $$
  select c.id, coalesce((
    select min(result.valid_until)
    from matters m join case_searches result on result.matter_id = m.id
    where m.case_id = c.id and c.status in ('active', 'on_hold') and m.status in ('active', 'on_hold')
      and m.completed_on is null and result.status in ('returned', 'reviewed')
      and result.valid_until < coalesce(m.target_completion_on, 'infinity')
      -- Renewed, or being renewed.
      and not exists (
        select from case_searches newer
        where newer.matter_id = m.id and newer.code = result.code and newer.id <> result.id
          and (newer.status in ('awaiting_payment', 'paid', 'ordered')
            or newer.status in ('returned', 'reviewed') and newer.valid_until > result.valid_until))), 'infinity')
  from conveyancing_cases c where c.id = any(searched)
$$;

create function last_updates_of_cases(searched uuid[]) returns table (case_id uuid, last_update_at timestamptz)
language sql stable as $$
  select c.id, coalesce((
    select occurred_at from history_entries entry
    -- Without a reference: what Keyturn recorded about clients.
    where entry.case_id = c.id and entry.reference is not null
    order by entry.occurred_at desc, entry.id desc limit 1), '-infinity')
  from conveyancing_cases c where c.id = any(searched)
$$;

-- Each of the functions below locks the summaries in one order, and before it reads the records: a transaction that changes
-- the same case waits, and then sees both changes. Their plans are kept, and those made for empty tables would read the
-- whole of full ones.
create function lock_case_summaries(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  perform from case_summaries where case_id = any(changed) order by case_id for update;
end $$;

create or replace function summarise_cases(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  insert into case_summaries as known (case_id, reference, status, handlers, matter_types, steps, actors, promised_on,
      last_update_at, expires_on, words)
  select c.id, c.reference, c.status,
    array(select distinct lower(handler ->> 'email') from jsonb_array_elements(c.handlers) as handler
      where handler ->> 'email' <> ''),
    array(select distinct matter_type from matters where matters.case_id = c.id),
    under_way.steps, under_way.actors, under_way.promised_on, history.last_update_at, expiry.expires_on, found.words
  from conveyancing_cases c
  join words_of_cases(changed) found on found.case_id = c.id
  join steps_of_cases(changed) under_way on under_way.case_id = c.id
  join expiries_of_cases(changed) expiry on expiry.case_id = c.id
  join last_updates_of_cases(changed) history on history.case_id = c.id
  where c.id = any(changed)
  on conflict (case_id) do update set
    reference = excluded.reference, status = excluded.status, handlers = excluded.handlers,
    matter_types = excluded.matter_types, steps = excluded.steps, actors = excluded.actors,
    promised_on = excluded.promised_on, last_update_at = excluded.last_update_at, expires_on = excluded.expires_on,
    words = excluded.words
  where known is distinct from excluded;
  insert into case_filter_values as known (kind, value, label)
  select distinct on (value) 'handler', lower(handler ->> 'email') as value, handler ->> 'name' as label
  from conveyancing_cases c cross join jsonb_array_elements(c.handlers) as handler
  where c.id = any(changed) and handler ->> 'email' <> ''
  order by value, label
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
  perform list_steps_of_cases(changed);
end $$;

-- Adds the steps under way in these cases to the choices of the filters.
create function list_steps_of_cases(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  insert into case_filter_values as known (kind, value, label)
  select distinct on (step.key) 'step', step.key, step.title
  from matters m join milestones step on step.matter_id = m.id
  where m.case_id = any(changed) and step.status in ('current', 'blocked')
  order by step.key, step.title
  on conflict (kind, value) do update set label = excluded.label where known.label <> excluded.label;
end $$;

create function summarise_words(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with found as materialized (select * from words_of_cases(changed))
  update case_summaries known set words = found.words from found
  where known.case_id = found.case_id and known.words <> found.words;
end $$;

create function summarise_steps(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with under_way as materialized (select * from steps_of_cases(changed))
  update case_summaries known
  set steps = under_way.steps, actors = under_way.actors, promised_on = under_way.promised_on from under_way
  where known.case_id = under_way.case_id and (known.steps, known.actors, known.promised_on)
    is distinct from (under_way.steps, under_way.actors, under_way.promised_on);
  perform list_steps_of_cases(changed);
end $$;

create function summarise_expiries(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with expiry as materialized (select * from expiries_of_cases(changed))
  update case_summaries known set expires_on = expiry.expires_on from expiry
  where known.case_id = expiry.case_id and known.expires_on <> expiry.expires_on;
end $$;

create function summarise_last_updates(changed uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  if changed is null then return; end if;
  perform lock_case_summaries(changed);
  with history as materialized (select * from last_updates_of_cases(changed))
  update case_summaries known set last_update_at = history.last_update_at from history
  where known.case_id = history.case_id and known.last_update_at <> history.last_update_at;
end $$;

-- For case_clients, which are never updated.
create or replace function summarise_cases_of_clients() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_words((select array_agg(distinct case_id) from rows_after));
  else
    perform summarise_words((select array_agg(distinct case_id) from rows_before));
  end if;
  return null;
end $$;

create or replace function summarise_cases_of_renamed() returns trigger language plpgsql as $$
begin
  perform summarise_words((
    select array_agg(distinct case_id) from rows_after n
    join rows_before o on o.id = n.id and (n.first_name, n.last_name) is distinct from (o.first_name, o.last_name)
    join case_clients on client_id = n.id));
  return null;
end $$;

create or replace function summarise_cases_of_milestones() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id
      where n.status in ('current', 'blocked')));
  elsif tg_op = 'DELETE' then
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_steps((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.title, n.status, n.actor, n.next_update_by) is distinct from
        (o.title, o.status, o.actor, o.next_update_by)));
  end if;
  return null;
end $$;

-- Only about results: paying for a search changes no summary, so a payment never waits for one.
create or replace function summarise_cases_of_searches() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_after n join matters m on m.id = n.matter_id));
  elsif tg_op = 'DELETE' then
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_before o join matters m on m.id = o.matter_id));
  else
    perform summarise_expiries((
      select array_agg(distinct m.case_id) from rows_after n join rows_before o on o.id = n.id
      join matters m on m.id = n.matter_id
      where (n.valid_until, n.code, n.status in ('returned', 'reviewed'), n.status = 'cancelled') is distinct from
        (o.valid_until, o.code, o.status in ('returned', 'reviewed'), o.status = 'cancelled')));
  end if;
  return null;
end $$;

create or replace function summarise_cases_of_history() returns trigger language plpgsql as $$
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
  perform summarise_last_updates(changed);
  return null;
end $$;

drop function words_of_case(uuid);
drop function last_update_of_case(uuid);
