-- What a regulated firm must show. Firms that use Keyturn already are regulated by the Solicitors Regulation Authority, as each
-- email has said; their number stays in the firm's details.
insert into firm_data (kind, version, value)
select 'regulation', 1, jsonb_build_object(
  'legal_form', null,
  'legal_name', null,
  'company_number', null,
  'registered_in', null,
  'registered_office', '[]'::jsonb,
  'member_names', '[]'::jsonb,
  'members_list_at', null,
  'regulator', case when firm is not null then 'sra' end,
  'complaints_name', null,
  'complaints_email', null,
  'data_protection_name', null,
  'data_protection_email', null,
  'terms', '[]'::jsonb,
  'insurer_name', null,
  'insurer_contact', null,
  'insurer_cover', null,
  'ombudsman_text', '[]'::jsonb,
  'badge_url', null,
  'bank_details_adopted_on', null)
from installation;
