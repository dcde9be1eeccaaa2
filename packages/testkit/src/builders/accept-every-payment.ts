/**
 * SQL that lets clients of tests pay what no one has asked for, unlike those of a new firm, and before their identity is
 * checked.
 */
export const acceptEveryPayment = `
  insert into firm_data (kind, version, value)
  select kind, version + 1, value || jsonb_build_object(
    'is_decided', true,
    'unasked', (select jsonb_object_agg(key, 100000000) from jsonb_each(value -> 'unasked')),
    'not_before', (select jsonb_object_agg(key, 'none') from jsonb_each(value -> 'not_before')))
  from firm_data where kind = 'payment_rules' order by version desc limit 1`;
