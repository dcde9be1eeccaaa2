-- Placing a hold locks the same row, so that one of the two waits for the other.
create or replace function refuse_erasure_under_hold() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.subject_kind = 'case' then
    perform from conveyancing_cases where id = new.subject_id for update;
  else
    perform from clients where id = new.subject_id for update;
  end if;
  if not found then
    raise exception 'there is no % %', new.subject_kind, new.subject_id using errcode = 'no_data_found';
  end if;
  -- A hold of a client protects their cases too.
  if new.basis <> 'restored' and exists (
    select from legal_holds
    where released_at is null and (
      (subject_kind = new.subject_kind and subject_id = new.subject_id)
      or (new.subject_kind = 'case' and subject_kind = 'client' and subject_id in (
        select client_id from case_clients where case_id = new.subject_id))))
  then
    raise exception 'the % % is under a legal hold', new.subject_kind, new.subject_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
