-- Erasing a client deletes their attempts to pay, which an unsettled payment still needs.
create or replace function refuse_erasure_during_payment() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from unsettled_payments(new.subject_id)) then
    raise exception 'a payment of the client is under way' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
