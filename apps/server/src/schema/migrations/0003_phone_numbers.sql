-- Stores telephone numbers in E.164, which earlier releases stored as typed. Whatever is not plainly one number stays as it is.
-- Without triggers: no number changes, and thousands of tabs need not read their case again.
create function pg_temp.stored_phone(typed text) returns text language sql immutable as $$
  select case
    when typed !~ '^ *[+(]?[0-9][0-9 ().\u00a0-]*$' or typed ~ '[.]0+ *$' then typed
    when british.digits ~ '^([1235789][0-9]{9}|1([2-69][02-9]|[78][0-9])[0-9]{6}|800[0-9]{6})$' then '+44' || british.digits
    when sent.digits ~ '^\+[1-9][0-9]{7,14}$' and sent.digits !~ '^\+44' and typed !~ '\(0\)' then sent.digits
    else typed end
  from (select regexp_replace(typed, '[^0-9+]', '', 'g')) sent (digits)
  cross join lateral (select substring(sent.digits from '^(?:(?:\+|00)440?|440?|0)?([1-9][0-9]+)$')) british (digits)
$$;

alter table clients disable trigger user;
update clients set
  phone = pg_temp.stored_phone(phone),
  former_phone = pg_temp.stored_phone(former_phone),
  replaced_feed_phone = pg_temp.stored_phone(replaced_feed_phone),
  recent_phones = array(
    select pg_temp.stored_phone(recent) from unnest(recent_phones) with ordinality as known (recent, place) order by place)
where concat(phone, former_phone, replaced_feed_phone) <> '' or recent_phones <> '{}';
alter table clients enable trigger user;

alter table conveyancing_cases disable trigger user;
update conveyancing_cases set handlers = (
  select jsonb_agg(
    handler || jsonb_build_object('phone', pg_temp.stored_phone(handler ->> 'phone')) order by place)
  from jsonb_array_elements(handlers) with ordinality as known (handler, place))
where exists (
  select from jsonb_array_elements(handlers) as handler
  where handler ->> 'phone' <> pg_temp.stored_phone(handler ->> 'phone'));
alter table conveyancing_cases enable trigger user;

update installation set firm = firm || jsonb_build_object('phone', pg_temp.stored_phone(firm ->> 'phone'))
where firm ->> 'phone' <> pg_temp.stored_phone(firm ->> 'phone');

drop function pg_temp.stored_phone;
