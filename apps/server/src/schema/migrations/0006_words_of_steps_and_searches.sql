-- New words of the milestone paths, the search catalogue and the document folders that Keyturn ships. A firm that has edited
-- one of them keeps its own; running matters keep theirs until an admin applies the new path to them.
with shipped as (
  select kind, value from firm_data data
  where version = 1 and not exists (select from firm_data later where later.kind = data.kind and later.version > 1)
),
words(kind, list, key_field, changes) as (values
  ('milestone_path/sale', 'steps', 'key', '{
    "buyer_enquiries": {"actor":"other_side","explanation":"The buyer’s lawyer asks questions, and we reply. We may need your help with some of them."},
    "documents_signed": {"explanation":"You sign the contract, and the transfer in front of a witness who is in the room. You’re only committed when contracts are exchanged."}
  }'::jsonb),
  ('milestone_path/purchase', 'steps', 'key', '{
    "searches_ordered": {"usual_working_days":{"from":1,"to":2}},
    "mortgage_offer_received": {"stage":5},
    "searches_received": {"explanation":"The council, the water company and others send their results one by one, and we check each of them."},
    "report_sent": {"stage":5},
    "documents_signed": {"stage":6,"explanation":"You sign the contract and the deeds: the mortgage deed, and the transfer where you sign it. Paper deeds are signed in front of a witness who is in the room. You’re only committed when contracts are exchanged."},
    "deposit_received": {"stage":6},
    "exchanged": {"stage":7,"explanation":"From this day you’re legally bound and the moving date is fixed. If you’re buying a house, insure it from this day unless we tell you otherwise. For a flat or a new build, we’ll tell you who insures it."},
    "pre_completion": {"stage":8},
    "completed": {"stage":8},
    "tax_filed": {"stage":9},
    "registration_applied": {"stage":9,"actor":"us","explanation":"We apply to HM Land Registry to register you as the owner, within the period that our priority search protects."},
    "registered": {"stage":9,"explanation":"HM Land Registry registers you as the owner. For a whole title this takes some weeks, and almost always less than four months. For a new build, part of a title, a first registration or a new lease it often takes more than a year (figures of November 2026). We send you the updated title and close your case.","usual_working_days":{"from":15,"to":85}}
  }'),
  ('milestone_path/remortgage', 'steps', 'key', '{
    "deed_signed": {"explanation":"You sign the new mortgage deed in front of a witness who is in the room. If your lender offers a digital mortgage deed instead, we will tell you."},
    "registration_applied": {"actor":"us","explanation":"We apply to HM Land Registry to register your new mortgage, within the period that our priority search protects."},
    "registered": {"explanation":"HM Land Registry adds your new lender to the title, and we close your case. This takes some weeks, and almost always less than four months (figures of November 2026).","usual_working_days":{"from":15,"to":85}}
  }'),
  ('milestone_path/transfer-of-equity', 'steps', 'key', '{
    "searches": {"explanation":"We check whether a bankruptcy is recorded. If money is paid for the share, a mortgage is taken over or there is a new mortgage, a priority search also protects our application."},
    "signed_by_all": {"explanation":"Everyone who has to signs the transfer deed, each in front of a witness who is in the room."},
    "registration_applied": {"actor":"us","explanation":"We apply to HM Land Registry to register the change."},
    "registered": {"explanation":"HM Land Registry enters the new owners on the title, and we close your case. For a whole title this takes some weeks, and almost always less than four months (figures of November 2026).","usual_working_days":{"from":15,"to":85}}
  }'),
  ('search_catalogue', null, 'code', '{
    "CON29R": {"explanation":"What the council answers about this property: planning decisions, building control, notices, plans for the area, adjoining roads, road and rail schemes within 200 metres, and public paths that cross or touch it. It does not list planning applications for neighbouring land."},
    "CON29O": {"explanation":"Further questions to the council, for example about common land, pipelines or noise abatement."},
    "FLOOD": {"explanation":"The risk of flooding from rivers, the sea and heavy rain, and how insurable the home is likely to be."},
    "CHANCEL": {"explanation":"Whether the parish has a risk that landowners must help pay for repairs to the church. It doesn’t say whether this property is one of those that pay."},
    "OS1": {"explanation":"Shows whether anything has changed in the register, and protects our application if HM Land Registry has it on its day list before midnight on the 30th business day after the search."},
    "K16": {"explanation":"Whether a bankruptcy is recorded against your name. Your lender may require it."},
    "LPE1": {"explanation":"The landlord’s or managing agent’s answers about service charges, ground rent, insurance and fire safety, on The Property Institute’s form. The seller usually orders and pays for it."}
  }'),
  ('document_groups', null, 'group', '{
    "searches": {"empty":{"sale":"The buyer’s lawyer orders the searches for a sale. This folder usually stays empty.","purchase":"Search results appear here once we’ve checked them. Councils can take several weeks.","remortgage":"If your lender asks for a search, the result or the insurance policy that replaces it appears here once we’ve checked it.","transfer-of-equity":"If your lender asks for a search, the result or the insurance policy that replaces it appears here once we’ve checked it."}}
  }')
),
changed as (
  select shipped.kind, shipped.value, words.list,
    (select jsonb_agg(item.value || coalesce(words.changes -> (item.value ->> words.key_field), '{}') order by position)
     from jsonb_array_elements(case when words.list is null then shipped.value else shipped.value -> words.list end)
       with ordinality item(value, position)) as items
  from shipped join words using (kind)
)
insert into firm_data (kind, version, value)
select kind, 2, case
  when list is null then items
  when kind = 'milestone_path/purchase' then jsonb_build_object('steps', items,
    'stages', jsonb_insert(value -> 'stages', '{5}', '{"title":"Mortgage and report","key_moment":false}'))
  else value || jsonb_build_object(list, items) end
from changed;
