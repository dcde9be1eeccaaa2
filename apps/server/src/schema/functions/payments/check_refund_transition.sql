-- Refuses a transition of a refund that is not allowed, and a change of its terms.
create or replace function check_refund_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not exists (
    select 1 from refund_transitions where from_status = old.status and to_status = new.status
  ) then
    raise exception 'a refund does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'refund_transitions';
  elsif (new.payment_id, new.amount, new.created_at, new.requested_by, new.requested_by_staff, new.requested_by_role,
      new.money_state, new.office)
      is distinct from
      (old.payment_id, old.amount, old.created_at, old.requested_by, old.requested_by_staff, old.requested_by_role,
      old.money_state, old.office)
    or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)
    or (old.approved_by is not null and (new.approved_by, new.approved_by_staff)
      is distinct from (old.approved_by, old.approved_by_staff))
  then
    raise exception 'the payment, the amount and the people of a refund do not change'
      using errcode = 'check_violation', constraint = 'refund_terms';
  end if;
  return new;
end $$;
