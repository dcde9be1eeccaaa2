-- The earliest day on which a search result that is still needed expires, for each of these cases.
create or replace function expiries_of_cases(searched uuid[]) returns table(case_id uuid, expires_on date)
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
