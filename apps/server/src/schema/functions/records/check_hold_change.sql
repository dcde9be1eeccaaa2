-- A hold is released once, and never changes otherwise. An erasure empties its reason.
create or replace function check_hold_change() returns trigger language plpgsql as $$
begin
  if new.reason = '' and is_erasing() then new.release_reason := null; end if;
  if to_jsonb(new) - array['released_at', 'released_by', 'release_reason', 'reason']
      <> to_jsonb(old) - array['released_at', 'released_by', 'release_reason', 'reason']
    or (new.reason <> old.reason and not (new.reason = '' and is_erasing()))
    or (new.release_reason is not null and new.released_at is null)
    or (old.released_at is not null and (
      (new.released_at, new.released_by) is distinct from (old.released_at, old.released_by)
      or (new.release_reason is distinct from old.release_reason and not (new.reason = '' and is_erasing()))))
  then
    raise exception 'a legal hold does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
