-- What clients can pay without having been asked, and which payments wait for the identity check. Clients of firms that use
-- Keyturn already pay as before until the firm has decided; those of other firms pay only what they are asked for.
insert into firm_data (kind, version, value)
select 'payment_rules', latest.version + 1, latest.value || jsonb_build_object(
  'is_decided', false,
  'unasked', (
    select jsonb_object_agg(category, case when firm is not null then 100000000 end)
    from unnest(array['money_on_account', 'identity_check', 'search_pack', 'leasehold_pack', 'indemnity_insurance',
      'other']) category),
  'not_before', (
    select jsonb_object_agg(purpose,
      case when firm is not null or purpose = 'identity_check' then 'none' else 'identity_checked' end)
    from unnest(array['search', 'money_on_account', 'identity_check', 'search_pack', 'legal_fees', 'leasehold_pack',
      'indemnity_insurance', 'other']) purpose))
from installation, (
  select version, value from firm_data where kind = 'payment_rules' order by version desc limit 1) latest;
