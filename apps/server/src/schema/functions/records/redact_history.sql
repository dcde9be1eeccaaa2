-- Replaces a client's name in the history that Keyturn wrote: that they signed, that they paid, and that they
-- were asked to pay, which contains the first word of their first name. Entries of the feed and the desk have
-- a reference.
create or replace function redact_history(client uuid) returns void language plpgsql as $$
declare
  called text;
  first text;
  full_name text;
  asked constant text := 'We asked ';
  for_what constant text := ' to pay for: ';
begin
  select split_part(first_name, ' ', 1), first_name, first_name || ' ' || last_name
    into called, first, full_name from clients where id = client;
  update history_entries set
    actor = case when actor = full_name then 'Former client' else actor end,
    summary = case
      when reference is not null then summary
      when actor = full_name and starts_with(summary, first || ' paid ')
        then 'Former client' || substr(summary, length(first) + 1)
      when actor = full_name and starts_with(summary, full_name || ' signed ')
        then 'Former client' || substr(summary, length(full_name) + 1)
      when starts_with(summary, asked) and position(for_what in summary) > 0
        then asked || array_to_string(array_replace(string_to_array(
            substr(split_part(summary, for_what, 1), length(asked) + 1), ' and '), called, 'Former client'), ' and ')
          || substr(summary, position(for_what in summary))
      else summary end
  where case_id in (
      select case_id from case_clients where client_id = client
      union select case_id from payments where client in (client_id, confirmed_by)
      union select case_id from document_signatures s
        join documents d on d.id = s.document_id join matters m on m.id = d.matter_id where s.client_id = client)
    and (actor = full_name or (reference is null and position(called in summary) > 0));
end $$;
