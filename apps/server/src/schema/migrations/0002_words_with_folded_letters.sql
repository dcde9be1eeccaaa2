-- Finds the cases of people such as Łukasz and Bjørn without their letters, too. The function is that of this build; a new
-- database has neither cases nor the functions yet.
do $$ begin
  if to_regprocedure('summarise_words(uuid[])') is null then return; end if;
  create or replace function comparable_text(sent text) returns text language sql immutable parallel safe as $fold$
  select replace(replace(replace(replace(
    translate(regexp_replace(lower(normalize(sent, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g'), 'łøđðıħŋ', 'loddihn'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  $fold$;
  perform summarise_words(array(select case_id from case_summaries where words::text ~ '[łøßđðæœıþħŋ]'));
end $$;
