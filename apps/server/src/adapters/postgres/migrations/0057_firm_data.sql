-- What the firm edits at the desk: every version of it. The highest is the current one, and the first is what Keyturn ships.
create table firm_data (
  kind text not null,
  version integer not null check (version > 0),
  value jsonb not null,
  changed_at timestamptz(3) not null default now(),
  -- The name of the staff member at the time; null: as Keyturn ships it.
  changed_by text,
  primary key (kind, version)
);
create trigger firm_data_append_only before update or delete or truncate on firm_data
  for each statement execute function refuse_change();

-- Logos, by the SHA-256 of their file.
create table firm_logos (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text not null check (media_type in ('image/png', 'image/webp')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  content bytea not null,
  created_at timestamptz(3) not null default now()
);

-- The firm as the case feed last sent it, so that the same feed again leaves changes of the desk alone.
alter table installation add column feed_firm jsonb;
update installation set feed_firm = firm;

-- Who changed the firm’s details last, and a version for each change, of the feed too.
alter table installation add column firm_version integer not null default 1;
alter table installation add column firm_changed_at timestamptz(3) not null default now();
alter table installation add column firm_changed_by text;
create function count_firm_version() returns trigger language plpgsql as $$
begin
  new.firm_version := old.firm_version + 1;
  return new;
end $$;
create trigger installation_firm_version before update on installation
  for each row when (old.firm is distinct from new.firm) execute function count_firm_version();

-- The current value of what the firm edits.
create function firm_data_value(kind text) returns jsonb language sql stable as $$
  select data.value from firm_data data where data.kind = $1 order by data.version desc limit 1
$$;

-- The days on which banks are closed, besides weekends.
create function bank_holiday_days() returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(holiday ->> 'day'), '[]'::jsonb)
  from jsonb_array_elements(firm_data_value('bank_holidays')) holiday
$$;

-- The firm as clients get it: closed on its own days and on bank holidays.
create function firm_with_bank_holidays(firm jsonb) returns jsonb language sql stable as $$
  select firm || jsonb_build_object('closed_on', (
    select coalesce(jsonb_agg(day order by day), '[]'::jsonb) from (
      select jsonb_array_elements_text(firm -> 'closed_on') as day
      union select jsonb_array_elements_text(bank_holiday_days())
    ) closed))
$$;

insert into firm_data (kind, version, value) values
  ('brand', 1, '{"colour": null, "logo": null, "logo_has_name": false}');

-- Published at https://www.gov.uk/bank-holidays.
insert into firm_data (kind, version, value) values ('bank_holidays', 1, '[
  {"day":"2026-01-01","name":"New Year’s Day"},
  {"day":"2026-04-03","name":"Good Friday"},
  {"day":"2026-04-06","name":"Easter Monday"},
  {"day":"2026-05-04","name":"Early May bank holiday"},
  {"day":"2026-05-25","name":"Spring bank holiday"},
  {"day":"2026-08-31","name":"Summer bank holiday"},
  {"day":"2026-12-25","name":"Christmas Day"},
  {"day":"2026-12-28","name":"Boxing Day (substitute day)"},
  {"day":"2027-01-01","name":"New Year’s Day"},
  {"day":"2027-03-26","name":"Good Friday"},
  {"day":"2027-03-29","name":"Easter Monday"},
  {"day":"2027-05-03","name":"Early May bank holiday"},
  {"day":"2027-05-31","name":"Spring bank holiday"},
  {"day":"2027-08-30","name":"Summer bank holiday"},
  {"day":"2027-12-27","name":"Christmas Day (substitute day)"},
  {"day":"2027-12-28","name":"Boxing Day (substitute day)"},
  {"day":"2028-01-03","name":"New Year’s Day (substitute day)"},
  {"day":"2028-04-14","name":"Good Friday"},
  {"day":"2028-04-17","name":"Easter Monday"},
  {"day":"2028-05-01","name":"Early May bank holiday"},
  {"day":"2028-05-29","name":"Spring bank holiday"},
  {"day":"2028-08-28","name":"Summer bank holiday"},
  {"day":"2028-12-25","name":"Christmas Day"},
  {"day":"2028-12-26","name":"Boxing Day"}
]');

-- The prices are examples: a firm sets its own.
insert into firm_data (kind, version, value) values ('search_catalogue', 1, '[
  {"code":"LLC1","name":"Local land charges register","supplier":null,"explanation":"Charges that bind the land, such as planning conditions, protected trees and listed buildings.","net":2500,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the council’s fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":0,"to":15}},
  {"code":"CON29R","name":"Local authority enquiries","supplier":null,"explanation":"What the council knows about roads, planning, building control and notices near the property.","net":15000,"vat_rate":20,"refund_rule":"Full refund until we order it. Once the council has accepted the search, its fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":10,"to":15}},
  {"code":"LA_REG","name":"Regulated local search","supplier":null,"explanation":"What a search company finds in the council’s records about planning, roads and charges. It is insured.","net":9500,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":3,"to":20}},
  {"code":"CON29O","name":"Optional local enquiries","supplier":null,"explanation":"A further question to the council, for example about common land, pipelines or public paths.","net":2500,"vat_rate":20,"refund_rule":"Full refund until we order it. Once the council has accepted the search, its fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":10,"to":15}},
  {"code":"CON29DW","name":"Drainage and water search","supplier":null,"explanation":"Your water supply and drainage, and any pipes or sewers under the property.","net":5500,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":5,"to":10}},
  {"code":"ENVIRO","name":"Environmental search","supplier":null,"explanation":"Risks of flooding, unstable ground and contamination.","net":3500,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":1,"to":2}},
  {"code":"CON29M","name":"Coal mining search","supplier":"Mining Remediation Authority","explanation":"Past, present and planned coal mining under or near the property, with shafts and claims.","net":5500,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":0,"to":1}},
  {"code":"FLOOD","name":"Flood report","supplier":null,"explanation":"The risk of flooding from rivers, the sea and heavy rain, and whether the home can be insured.","net":3500,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"optional","usual_working_days":{"from":1,"to":2}},
  {"code":"CHANCEL","name":"Chancel repair search","supplier":null,"explanation":"Whether the owner must help pay for church repairs.","net":2000,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":0,"to":1}},
  {"code":"PLAN","name":"Planning report","supplier":null,"explanation":"Planning applications and the use of land nearby.","net":4000,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"optional","usual_working_days":{"from":1,"to":2}},
  {"code":"TRANSPORT","name":"Transport and energy search","supplier":null,"explanation":"Planned railways such as HS2, other transport projects and power lines near the property.","net":4000,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"optional","usual_working_days":{"from":1,"to":2}},
  {"code":"MINING-OTHER","name":"Other mining search","supplier":null,"explanation":"Tin, clay, limestone or salt mining that could affect the ground in this area.","net":5000,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the supplier’s fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":1,"to":10}},
  {"code":"OC1","name":"Official copies of title and plan","supplier":"HM Land Registry","explanation":"Who owns the property, and the rights and rules that come with it.","net":700,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, HM Land Registry’s fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":0,"to":1}},
  {"code":"SIM","name":"Index map search","supplier":"HM Land Registry","explanation":"Whether the land is registered, and under which title numbers.","net":700,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, HM Land Registry’s fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":1,"to":5}},
  {"code":"OS1","name":"Priority search","supplier":"HM Land Registry","explanation":"Confirms that nothing has changed in the register, and keeps your place in it until completion.","net":700,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, HM Land Registry’s fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":0,"to":3}},
  {"code":"K16","name":"Bankruptcy search","supplier":"HM Land Registry","explanation":"Whether a bankruptcy is recorded against your name. Lenders ask for it.","net":600,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, HM Land Registry’s fee can’t be refunded.","required_by":"lender","usual_working_days":{"from":0,"to":1}},
  {"code":"LPE1","name":"Leasehold pack","supplier":null,"explanation":"The landlord’s or managing agent’s answers about service charges, ground rent, insurance and fire safety.","net":30000,"vat_rate":20,"refund_rule":"Full refund until we order it. After that, the landlord’s or agent’s fee can’t be refunded.","required_by":"firm","usual_working_days":{"from":10,"to":20}}
]');
