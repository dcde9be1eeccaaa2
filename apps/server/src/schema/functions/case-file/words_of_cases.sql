-- The words by which each of these cases is found.
create or replace function words_of_cases(searched uuid[]) returns table(case_id uuid, words tsvector)
  language sql stable as $$
  select c.id, coalesce((
    select array_to_tsvector(array_agg(spelling.word))
    from (
      select left(word, 60) as word
      from regexp_split_to_table(comparable_text(concat_ws(' ', c.reference, c.title, of_clients.names, of_matters.texts)),
        '[^[:alnum:]]+') as word
      union all
      select unnest(joined_words(c.reference) || of_matters.joined)) as found
    cross join lateral (values (found.word), (nullif(ltrim(found.word, '0'), found.word))) as spelling (word)
    where spelling.word <> ''), '')
  from conveyancing_cases c
  cross join lateral (
    select string_agg(concat_ws(' ', first_name, last_name), ' ') as names
    from case_clients member join clients on clients.id = member.client_id where member.case_id = c.id) of_clients
  cross join lateral (
    select array_agg(joined_words(m.reference)) || array_agg(joined_words(m.property ->> 'postcode')) as joined,
      string_agg(concat_ws(' ', m.reference, m.property ->> 'address_lines', m.property ->> 'town',
        m.property ->> 'postcode'), ' ') as texts
    from matters m where m.case_id = c.id) of_matters
  where c.id = any(searched)
$$;
