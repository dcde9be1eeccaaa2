-- When the firm last added to the history of each of these cases.
create or replace function last_updates_of_cases(searched uuid[])
  returns table(case_id uuid, last_update_at timestamptz) language sql stable as $$
  select c.id, coalesce((
    select occurred_at from history_entries entry
    -- Without a reference: what Keyturn recorded about clients.
    where entry.case_id = c.id and entry.reference is not null
    order by entry.occurred_at desc, entry.id desc limit 1), '-infinity')
  from conveyancing_cases c where c.id = any(searched)
$$;
