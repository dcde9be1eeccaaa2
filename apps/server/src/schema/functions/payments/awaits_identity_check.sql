-- Whether a payment comes after an identity check that is not done, by the firm's rules. A matter without that step waits for
-- nothing. A payment without a matter waits for each open matter of the case, and so does one for a matter
-- that is no longer open.
create or replace function awaits_identity_check(purpose text, payment_case uuid, payment_matter uuid)
  returns boolean language sql stable as $$
  select coalesce(firm_data_value('payment_rules') -> 'not_before' ->> purpose = 'identity_checked', false)
    and exists (
      select from matters m join milestones step on step.matter_id = m.id
      where m.case_id = payment_case
        and m.status in ('active', 'on_hold')
        and (m.id = payment_matter or not exists (
          select from matters where id = payment_matter and status in ('active', 'on_hold')))
        and step.key = 'identity_checked' and step.status not in ('done', 'not_needed'))
$$;
