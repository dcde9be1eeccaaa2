-- Lower case, without accents and apostrophes, and with plain letters for those that Unicode does not divide, as
-- `foldedLetters` of the contract.
create or replace function comparable_text(sent text) returns text language sql immutable parallel safe as $$
  select replace(replace(replace(replace(
    translate(regexp_replace(lower(normalize(sent, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g'), 'łøđðıħŋ', 'loddihn'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;
