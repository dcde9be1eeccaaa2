-- Lower case, without accents and apostrophes.
create or replace function comparable_text(sent text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(normalize(sent, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g')
$$;
