-- The first version of what the firm edits, as Keyturn ships it.

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

-- The steps of each type of matter, in order, and the stages of the stage tracker that they belong to.
insert into firm_data (kind, version, value) values ('milestone_path/sale', 1, '{"stages": [
  {"title":"Opening","key_moment":false},
  {"title":"Identity","key_moment":false},
  {"title":"Your forms","key_moment":false},
  {"title":"Contract pack","key_moment":false},
  {"title":"Questions","key_moment":false},
  {"title":"Signing","key_moment":false},
  {"title":"Exchange","key_moment":true},
  {"title":"Completion","key_moment":true},
  {"title":"Closing","key_moment":false}
],
"steps": [
  {"key":"instructed","title":"Opening your case","explanation":"You’ve asked us to act for you. We send you our terms and an estimate of the costs.","actor":"us","usual_working_days":{"from":1,"to":3},"stage":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity check","explanation":"We check who you are and that you own the home.","actor":"you","usual_working_days":{"from":1,"to":5},"stage":1,"usual_weeks":null},
  {"key":"property_forms","title":"Your property forms","explanation":"You tell the buyer about the home and send us the certificates you have.","actor":"you","usual_working_days":{"from":3,"to":10},"stage":2,"usual_weeks":null},
  {"key":"title_obtained","title":"Official title and plan","explanation":"We download your official title and plan.","actor":"us","usual_working_days":{"from":1,"to":2},"stage":2,"usual_weeks":null},
  {"key":"leasehold_pack_ordered","title":"Leasehold pack","explanation":"If your home is leasehold, we pay your landlord or their agent to answer the standard questions.","actor":"third_party","usual_working_days":{"from":10,"to":20},"stage":2,"usual_weeks":null},
  {"key":"redemption_figure","title":"Mortgage redemption figure","explanation":"Your lender tells us how much you still owe.","actor":"third_party","usual_working_days":{"from":3,"to":10},"stage":2,"usual_weeks":null},
  {"key":"contract_pack_sent","title":"Contract pack","explanation":"We send the draft contract, the title and your forms to the buyer’s lawyer.","actor":"us","usual_working_days":{"from":1,"to":5},"stage":3,"usual_weeks":null},
  {"key":"buyer_enquiries","title":"Buyer’s questions","explanation":"The buyer’s lawyer asks questions. We may need your help with some of them.","actor":"you","usual_working_days":{"from":5,"to":15},"stage":4,"usual_weeks":null},
  {"key":"enquiries_answered","title":"Replies to the buyer’s questions","explanation":"The buyer’s lawyer goes through our replies, and may ask more, until they’re satisfied.","actor":"other_side","usual_working_days":{"from":10,"to":30},"stage":4,"usual_weeks":null},
  {"key":"documents_signed","title":"Signing","explanation":"You sign the contract and the transfer. You’re only committed when contracts are exchanged.","actor":"you","usual_working_days":{"from":2,"to":7},"stage":5,"usual_weeks":null},
  {"key":"completion_date_agreed","title":"Moving date","explanation":"Everyone in the chain agrees on a moving date.","actor":"other_side","usual_working_days":{"from":3,"to":10},"stage":5,"usual_weeks":null},
  {"key":"exchanged","title":"Exchange of contracts","explanation":"From this day you’re legally bound to sell and the moving date is fixed.","actor":"us","usual_working_days":{"from":1,"to":5},"stage":6,"usual_weeks":{"from":10,"to":20}},
  {"key":"completion_statement","title":"Completion statement","explanation":"We show you the money coming in, the money going out and what you receive.","actor":"us","usual_working_days":{"from":2,"to":5},"stage":7,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The buyer’s money reaches us and the agent hands over the keys.","actor":"other_side","usual_working_days":{"from":1,"to":1},"stage":7,"usual_weeks":{"from":12,"to":22}},
  {"key":"mortgage_repaid_proceeds_paid","title":"Mortgage repayment and sale proceeds","explanation":"We pay your lender, the agent and our bill, and send the rest to the account we’ve checked with you.","actor":"us","usual_working_days":{"from":1,"to":2},"stage":8,"usual_weeks":null},
  {"key":"closed","title":"Closing your case","explanation":"Your lender’s charge is removed from the title and we store your file.","actor":"us","usual_working_days":{"from":10,"to":30},"stage":8,"usual_weeks":null}
]}');

insert into firm_data (kind, version, value) values ('milestone_path/purchase', 1, '{"stages": [
  {"title":"Opening","key_moment":false},
  {"title":"Identity","key_moment":false},
  {"title":"Contract pack","key_moment":false},
  {"title":"Searches","key_moment":false},
  {"title":"Questions","key_moment":false},
  {"title":"Signing","key_moment":false},
  {"title":"Exchange","key_moment":true},
  {"title":"Completion","key_moment":true},
  {"title":"Registration","key_moment":false}
],
"steps": [
  {"key":"instructed","title":"Opening your case","explanation":"You’ve asked us to act for you. We send you our terms and an estimate of the costs.","actor":"us","usual_working_days":{"from":1,"to":3},"stage":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity and address check","explanation":"The law requires us to check who you are before we start.","actor":"you","usual_working_days":{"from":1,"to":5},"stage":1,"usual_weeks":null},
  {"key":"funds_checked","title":"Source of funds check","explanation":"The law requires us to check where your money comes from, including gifts.","actor":"you","usual_working_days":{"from":3,"to":10},"stage":1,"usual_weeks":null},
  {"key":"searches_paid","title":"Paying for searches","explanation":"We order each search once you’ve paid for it.","actor":"you","usual_working_days":{"from":1,"to":5},"stage":3,"usual_weeks":null},
  {"key":"contract_pack_received","title":"Contract pack","explanation":"The seller’s lawyer sends us the draft contract, the title and the seller’s forms.","actor":"other_side","usual_working_days":{"from":5,"to":15},"stage":2,"usual_weeks":null},
  {"key":"searches_ordered","title":"Ordering searches","explanation":"We ask the council, the water company and others about the property.","actor":"us","usual_working_days":{"from":8,"to":12},"stage":3,"usual_weeks":null},
  {"key":"title_reviewed","title":"Review of title and forms","explanation":"We check that the seller owns the home and which rules apply to it.","actor":"us","usual_working_days":{"from":3,"to":8},"stage":2,"usual_weeks":null},
  {"key":"enquiries_raised","title":"Questions to the seller","explanation":"We ask the seller’s lawyer about anything that’s unclear.","actor":"us","usual_working_days":{"from":1,"to":5},"stage":4,"usual_weeks":null},
  {"key":"mortgage_offer_received","title":"Mortgage offer","explanation":"Your lender sends us its formal offer.","actor":"third_party","usual_working_days":{"from":15,"to":25},"stage":4,"usual_weeks":null},
  {"key":"searches_received","title":"Search results","explanation":"The results arrive one by one, and we check each of them.","actor":"third_party","usual_working_days":{"from":8,"to":15},"stage":3,"usual_weeks":null},
  {"key":"enquiries_answered","title":"Replies to our questions","explanation":"The seller’s lawyer answers our questions until we’re satisfied.","actor":"other_side","usual_working_days":{"from":10,"to":30},"stage":4,"usual_weeks":null},
  {"key":"report_sent","title":"Our report to you","explanation":"You read our report on the home, and can ask us anything about it.","actor":"us","usual_working_days":{"from":3,"to":7},"stage":4,"usual_weeks":null},
  {"key":"documents_signed","title":"Signing","explanation":"You sign the contract, the transfer and any mortgage deed. Some deeds need a witness. You’re only committed when contracts are exchanged.","actor":"you","usual_working_days":{"from":2,"to":7},"stage":5,"usual_weeks":null},
  {"key":"deposit_received","title":"Deposit","explanation":"You pay the deposit by bank transfer, usually 10% of the price. It has to clear before exchange.","actor":"you","usual_working_days":{"from":1,"to":5},"stage":5,"usual_weeks":null},
  {"key":"exchanged","title":"Exchange of contracts","explanation":"From this day you’re legally bound and the moving date is fixed. Insure the home from then.","actor":"us","usual_working_days":{"from":1,"to":5},"stage":6,"usual_weeks":{"from":10,"to":20}},
  {"key":"pre_completion","title":"Final checks and money","explanation":"We do the final searches, ask your lender for the money and send you a completion statement.","actor":"us","usual_working_days":{"from":3,"to":10},"stage":7,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The money reaches the seller and you collect your keys.","actor":"other_side","usual_working_days":{"from":1,"to":1},"stage":7,"usual_weeks":{"from":12,"to":22}},
  {"key":"tax_filed","title":"Property tax return","explanation":"We file the return and pay your Stamp Duty Land Tax, or Land Transaction Tax in Wales.","actor":"us","usual_working_days":{"from":1,"to":10},"stage":8,"usual_weeks":null},
  {"key":"registration_applied","title":"Application to HM Land Registry","explanation":"Your ownership is protected while HM Land Registry processes our application.","actor":"third_party","usual_working_days":{"from":1,"to":20},"stage":8,"usual_weeks":null},
  {"key":"registered","title":"Registration in your name","explanation":"HM Land Registry registers you as the owner. We send you the updated title and close your case.","actor":"third_party","usual_working_days":{"from":20,"to":120},"stage":8,"usual_weeks":null}
]}');

insert into firm_data (kind, version, value) values ('milestone_path/remortgage', 1, '{"stages": [
  {"title":"Opening","key_moment":false},
  {"title":"Identity","key_moment":false},
  {"title":"Title","key_moment":false},
  {"title":"Offer","key_moment":false},
  {"title":"Signing","key_moment":false},
  {"title":"Final checks","key_moment":false},
  {"title":"Completion","key_moment":true},
  {"title":"Registration","key_moment":false}
],
"steps": [
  {"key":"instructed","title":"Opening your case","explanation":"You’ve asked us to act for you on your new mortgage.","actor":"us","usual_working_days":{"from":1,"to":3},"stage":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity check","explanation":"The law requires us to check who you are before we start.","actor":"you","usual_working_days":{"from":1,"to":5},"stage":1,"usual_weeks":null},
  {"key":"title_obtained","title":"Title check","explanation":"We check the official title to your home.","actor":"us","usual_working_days":{"from":1,"to":3},"stage":2,"usual_weeks":null},
  {"key":"redemption_statement","title":"Mortgage redemption figure","explanation":"Your current lender tells us what it costs to repay the old loan.","actor":"third_party","usual_working_days":{"from":3,"to":10},"stage":2,"usual_weeks":null},
  {"key":"mortgage_offer_received","title":"New mortgage offer","explanation":"Your new lender sends us its formal offer.","actor":"third_party","usual_working_days":{"from":10,"to":20},"stage":3,"usual_weeks":null},
  {"key":"searches_or_insurance","title":"Search or insurance","explanation":"We get a search, or an insurance policy instead of one, as your new lender requires.","actor":"us","usual_working_days":{"from":1,"to":5},"stage":3,"usual_weeks":null},
  {"key":"deed_signed","title":"Signing the mortgage deed","explanation":"You sign the new mortgage deed in front of a witness.","actor":"you","usual_working_days":{"from":2,"to":7},"stage":4,"usual_weeks":null},
  {"key":"final_searches","title":"Final searches","explanation":"We do priority and bankruptcy checks just before the money moves.","actor":"us","usual_working_days":{"from":1,"to":2},"stage":5,"usual_weeks":null},
  {"key":"funds_requested","title":"Request for the new loan","explanation":"We ask your new lender for the money, and they send it to us.","actor":"third_party","usual_working_days":{"from":3,"to":7},"stage":5,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The old loan is repaid, and any balance comes to you.","actor":"us","usual_working_days":{"from":1,"to":1},"stage":6,"usual_weeks":{"from":4,"to":10}},
  {"key":"registration_applied","title":"Application to HM Land Registry","explanation":"HM Land Registry processes our application to register your new mortgage.","actor":"third_party","usual_working_days":{"from":1,"to":20},"stage":7,"usual_weeks":null},
  {"key":"registered","title":"Registration","explanation":"HM Land Registry adds your new lender to the title, and we close your case.","actor":"third_party","usual_working_days":{"from":20,"to":60},"stage":7,"usual_weeks":null}
]}');

insert into firm_data (kind, version, value) values ('milestone_path/transfer-of-equity', 1, '{"stages": [
  {"title":"Opening","key_moment":false},
  {"title":"Identity","key_moment":false},
  {"title":"Title","key_moment":false},
  {"title":"Consent","key_moment":false},
  {"title":"Transfer","key_moment":false},
  {"title":"Signing","key_moment":false},
  {"title":"Completion","key_moment":true},
  {"title":"Registration","key_moment":false}
],
"steps": [
  {"key":"instructed","title":"Opening your case","explanation":"You tell us who joins or leaves the title, and about any money paid for it.","actor":"us","usual_working_days":{"from":1,"to":3},"stage":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity check","explanation":"We check the identity of everyone involved.","actor":"you","usual_working_days":{"from":1,"to":5},"stage":1,"usual_weeks":null},
  {"key":"separate_advice","title":"Separate legal advice","explanation":"Some people need their own lawyer for this.","actor":"third_party","usual_working_days":{"from":5,"to":15},"stage":1,"usual_weeks":null},
  {"key":"title_obtained","title":"Title check","explanation":"We check the title and who is on it.","actor":"us","usual_working_days":{"from":1,"to":3},"stage":2,"usual_weeks":null},
  {"key":"lender_consent","title":"Lender’s consent","explanation":"Your lender agrees to the change or makes a new offer.","actor":"third_party","usual_working_days":{"from":10,"to":25},"stage":3,"usual_weeks":null},
  {"key":"transfer_drafted","title":"Transfer deed","explanation":"We write the deed and send it to everyone.","actor":"us","usual_working_days":{"from":2,"to":7},"stage":4,"usual_weeks":null},
  {"key":"searches","title":"Final searches","explanation":"We do priority and bankruptcy checks.","actor":"us","usual_working_days":{"from":1,"to":2},"stage":4,"usual_weeks":null},
  {"key":"signed_by_all","title":"Signing","explanation":"Everyone signs in front of a witness.","actor":"you","usual_working_days":{"from":3,"to":10},"stage":5,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The transfer is dated and any money is paid over.","actor":"us","usual_working_days":{"from":1,"to":1},"stage":6,"usual_weeks":{"from":6,"to":12}},
  {"key":"tax_return","title":"Property tax return","explanation":"If a return is due, we file it and pay the tax.","actor":"us","usual_working_days":{"from":1,"to":10},"stage":6,"usual_weeks":null},
  {"key":"registration_applied","title":"Application to HM Land Registry","explanation":"HM Land Registry processes our application to register the change.","actor":"third_party","usual_working_days":{"from":1,"to":20},"stage":7,"usual_weeks":null},
  {"key":"registered","title":"Registration","explanation":"HM Land Registry enters the new owners on the title, and we close your case.","actor":"third_party","usual_working_days":{"from":20,"to":60},"stage":7,"usual_weeks":null}
]}');

-- What clients read about the folders of their documents: the name of each, and what it says while it is empty.
insert into firm_data (kind, version, value) values ('document_groups', 1, '[
  {"group":"to-sign","name":"To sign","empty":{"sale":"You have nothing to sign at the moment. When we need your signature, the document appears here and at the top of your home page.","purchase":"You have nothing to sign at the moment. When we need your signature, the document appears here and at the top of your home page.","remortgage":"You have nothing to sign at the moment. When we need your signature, the document appears here and at the top of your home page.","transfer-of-equity":"You have nothing to sign at the moment. When we need your signature, the document appears here and at the top of your home page."}},
  {"group":"client-care","name":"Our terms and costs","empty":{"sale":"Our terms, the estimate of your costs and our privacy notice appear here when we open your case.","purchase":"Our terms, the estimate of your costs and our privacy notice appear here when we open your case.","remortgage":"Our terms, the estimate of your costs and our privacy notice appear here when we open your case.","transfer-of-equity":"Our terms, the estimate of your costs and our privacy notice appear here when we open your case."}},
  {"group":"identity-funds","name":"Identity and funds","empty":{"sale":"The result of your identity check appears here in the first week or two.","purchase":"The result of your identity check appears here in the first week or two, with the evidence you give us of where your money comes from.","remortgage":"The result of your identity check appears here in the first week or two.","transfer-of-equity":"The result of your identity check appears here in the first week or two."}},
  {"group":"title","name":"Title and plan","empty":{"sale":"The title register and plan of your home appear here once HM Land Registry sends them to us.","purchase":"The title register and plan appear here once the seller’s lawyer sends them to us.","remortgage":"The title register and plan of your home appear here once HM Land Registry sends them to us.","transfer-of-equity":"The title register and plan of your home appear here once HM Land Registry sends them to us."}},
  {"group":"property-forms","name":"Property forms","empty":{"sale":"The forms about your home appear here early on. You can read them once they’re filled in.","purchase":"The seller’s answers about the home, and the list of what they’re leaving behind, appear here with the draft contract.","remortgage":"This type of case doesn’t need property forms. This folder usually stays empty.","transfer-of-equity":"This type of case doesn’t need property forms. This folder usually stays empty."}},
  {"group":"certificates","name":"Certificates and guarantees","empty":{"sale":"Guarantees, planning documents and safety certificates for your home appear here as you send them to us.","purchase":"Guarantees, planning documents and safety certificates appear here as the seller’s lawyer sends them.","remortgage":"This type of case doesn’t need certificates. This folder usually stays empty.","transfer-of-equity":"This type of case doesn’t need certificates. This folder usually stays empty."}},
  {"group":"contract","name":"Contract and transfer","empty":{"sale":"The draft contract appears here once we’ve prepared it, usually in the first few weeks.","purchase":"The draft contract appears here once the seller’s lawyer sends it, usually in the first few weeks.","remortgage":"If your case needs a transfer deed, it appears here once we’ve prepared it.","transfer-of-equity":"If your case needs a transfer deed, it appears here once we’ve prepared it."}},
  {"group":"searches","name":"Search results","empty":{"sale":"The buyer’s lawyer orders the searches for a sale. This folder usually stays empty.","purchase":"Each search result appears here the day we receive it. Councils can take several weeks.","remortgage":"If your lender asks for a search, the result or the insurance policy that replaces it appears here.","transfer-of-equity":"If your lender asks for a search, the result or the insurance policy that replaces it appears here."}},
  {"group":"enquiries","name":"Questions and replies","empty":{"sale":"The buyer’s questions, and the replies we give, appear here after the draft contract.","purchase":"The questions we ask the seller, and their replies, appear here after the draft contract.","remortgage":"This type of case doesn’t involve questions from another side. This folder usually stays empty.","transfer-of-equity":"This type of case doesn’t involve questions from another side. This folder usually stays empty."}},
  {"group":"mortgage","name":"Mortgage","empty":{"sale":"Your mortgage redemption figure, which is what you still have to repay, appears here before completion, once your lender sends it to us.","purchase":"Your mortgage offer and mortgage deed appear here once your lender sends them to us.","remortgage":"The mortgage offer and mortgage deed appear here once your lender sends them to us.","transfer-of-equity":"The mortgage offer and mortgage deed appear here once your lender sends them to us."}},
  {"group":"leasehold","name":"Lease","empty":{"sale":"If your home is leasehold, the lease and the landlord’s answers appear here. They often take weeks.","purchase":"If the home is leasehold, the lease and the landlord’s answers appear here. They often take weeks.","remortgage":"If your home is leasehold, the lease appears here once HM Land Registry sends it to us.","transfer-of-equity":"If your home is leasehold, the lease appears here once HM Land Registry sends it to us."}},
  {"group":"survey","name":"Survey and valuation","empty":{"sale":"The buyer arranges their own survey. This folder usually stays empty.","purchase":"The valuation, and your survey if you share it with us, appear here when they’re done.","remortgage":"The lender’s valuation appears here when it’s done.","transfer-of-equity":"The lender’s valuation appears here when it’s done."}},
  {"group":"reports","name":"Our reports to you","empty":{"sale":"You don’t need a report from us when you sell. This folder usually stays empty.","purchase":"Our report appears here before you sign: what we found out about the home, in plain English.","remortgage":"Our report appears here before you sign.","transfer-of-equity":"Our report appears here before you sign."}},
  {"group":"money","name":"Bills and receipts","empty":{"sale":"Receipts, our bills and your completion statement appear here. The statement comes shortly before completion.","purchase":"Receipts, our bills and your completion statement appear here. The statement comes shortly before completion.","remortgage":"Receipts, our bills and your completion statement appear here. The statement comes shortly before completion.","transfer-of-equity":"Receipts, our bills and your completion statement appear here. The statement comes shortly before completion."}},
  {"group":"after-completion","name":"After completion","empty":{"sale":"Proof that your mortgage has been repaid appears here some weeks after completion.","purchase":"The tax certificate and the new register in your name appear here some weeks after completion.","remortgage":"The new register appears here some weeks after completion.","transfer-of-equity":"The new register appears here some weeks after completion."}}
]');
