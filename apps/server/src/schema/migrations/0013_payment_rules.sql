-- When the firm orders the searches that clients have paid for. Firms that use Keyturn already have promised a day from the
-- payment on, so they keep to it; others order when the money has cleared, until they decide otherwise.
insert into firm_data (kind, version, value)
select 'payment_rules', 1, jsonb_build_object(
  'order_searches', case when firm is not null then 'at_once' else 'cleared' end)
from installation;
