alter table clients
  -- When the client last changed the phone number themselves; null while the firm's number counts.
  add column phone_changed_at timestamptz(3),
  -- The number that the firm's system last sent, while the client has changed theirs: their own number then stays. Null if it
  -- sent none.
  add column replaced_feed_phone text,
  -- The number before the client's changes of the last days, so that a thief's number is not called back.
  add column former_phone text,
  -- What the client set in the changes of the last days; a null in it is a removal. If the firm's system has copied one of
  -- them, it is not a number of the firm.
  add column recent_phones text[] not null default '{}';

create function record_phone_change() returns trigger language plpgsql as $$
begin
  insert into client_changes (type, occurred_at, client_id, subject_id)
    values ('client.phone_changed', new.phone_changed_at, new.id, new.id);
  return null;
end $$;
create trigger clients_phone_change after update of phone_changed_at on clients for each row
  when (new.phone_changed_at is distinct from old.phone_changed_at and new.phone_changed_at is not null)
  execute function record_phone_change();

-- The row of an erased client may remain for the records that refer to it.
create function clear_own_phone_numbers() returns trigger language plpgsql as $$
begin
  new.phone_changed_at := null;
  new.replaced_feed_phone := null;
  new.former_phone := null;
  new.recent_phones := '{}';
  return new;
end $$;
create trigger clients_erased before update of erased_at on clients for each row
  when (new.erased_at is not null and old.erased_at is null) execute function clear_own_phone_numbers();
