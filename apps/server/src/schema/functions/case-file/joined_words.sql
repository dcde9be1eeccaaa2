-- Joins the words of a reference or postcode, for people who leave out what separates them.
create or replace function joined_words(sent text) returns text language sql immutable parallel safe as $$
  select left(regexp_replace(comparable_text(sent), '[^[:alnum:]]+', '', 'g'), 60)
$$;
