-- Splits a text into words that can be compared: lower case, without accents and apostrophes.
create or replace function comparable_words(sent text) returns text[]
  language sql immutable parallel safe as $$
  select array(
    select left(word, 60) from regexp_split_to_table(comparable_text(sent), '[^[:alnum:]]+') as word where word <> '')
$$;
