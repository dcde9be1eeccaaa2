-- A query for rows that have a word with each of these starts; null without any.
create or replace function starts_of_words(sent text) returns tsquery
  language sql immutable parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery from unnest(comparable_words(sent)) as word
$$;
