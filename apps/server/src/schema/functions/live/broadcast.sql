-- Events of a kind on a channel become one for a transaction.
create or replace function broadcast(to_channel text, event_name text, changed text[]) returns void
  language plpgsql as $$
begin
  perform broadcast_all(array[row(to_channel, event_name, changed)::new_event]);
end $$;
