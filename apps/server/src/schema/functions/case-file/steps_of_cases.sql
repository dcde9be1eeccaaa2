-- The steps under way in each of these cases, and the earliest promised update.
create or replace function steps_of_cases(searched uuid[])
  returns table(case_id uuid, steps text[], actors text[], promised_on date) language sql stable as $$
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
