-- The steps of each type of matter, in order, and the stations of the stage tracker that they belong to.
insert into firm_data (kind, version, value) values ('milestone_path/sale', 1, '{"stations": [
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
  {"key":"instructed","title":"Opening your case","explanation":"You’ve asked us to act for you. We send you our terms and an estimate of the costs.","actor":"us","usual_working_days":{"from":1,"to":3},"station":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity check","explanation":"We check who you are and that you own the home.","actor":"you","usual_working_days":{"from":1,"to":5},"station":1,"usual_weeks":null},
  {"key":"property_forms","title":"Your property forms","explanation":"You tell the buyer about the home and send us the certificates you have.","actor":"you","usual_working_days":{"from":3,"to":10},"station":2,"usual_weeks":null},
  {"key":"title_obtained","title":"Official title and plan","explanation":"We download your official title and plan.","actor":"us","usual_working_days":{"from":1,"to":2},"station":2,"usual_weeks":null},
  {"key":"leasehold_pack_ordered","title":"Leasehold pack","explanation":"If your home is leasehold, we pay your landlord or their agent to answer the standard questions.","actor":"third_party","usual_working_days":{"from":10,"to":20},"station":2,"usual_weeks":null},
  {"key":"redemption_figure","title":"Mortgage redemption figure","explanation":"Your lender tells us how much you still owe.","actor":"third_party","usual_working_days":{"from":3,"to":10},"station":2,"usual_weeks":null},
  {"key":"contract_pack_sent","title":"Contract pack","explanation":"We send the draft contract, the title and your forms to the buyer’s lawyer.","actor":"us","usual_working_days":{"from":1,"to":5},"station":3,"usual_weeks":null},
  {"key":"buyer_enquiries","title":"Buyer’s questions","explanation":"The buyer’s lawyer asks questions. We may need your help with some of them.","actor":"you","usual_working_days":{"from":5,"to":15},"station":4,"usual_weeks":null},
  {"key":"enquiries_answered","title":"Replies to the buyer’s questions","explanation":"The buyer’s lawyer goes through our replies, and may ask more, until they’re satisfied.","actor":"other_side","usual_working_days":{"from":10,"to":30},"station":4,"usual_weeks":null},
  {"key":"documents_signed","title":"Signing","explanation":"You sign the contract and the transfer. You’re only committed when contracts are exchanged.","actor":"you","usual_working_days":{"from":2,"to":7},"station":5,"usual_weeks":null},
  {"key":"completion_date_agreed","title":"Moving date","explanation":"Everyone in the chain agrees on a moving date.","actor":"other_side","usual_working_days":{"from":3,"to":10},"station":5,"usual_weeks":null},
  {"key":"exchanged","title":"Exchange of contracts","explanation":"From this day you’re legally bound to sell and the moving date is fixed.","actor":"us","usual_working_days":{"from":1,"to":5},"station":6,"usual_weeks":{"from":10,"to":20}},
  {"key":"completion_statement","title":"Completion statement","explanation":"We show you the money coming in, the money going out and what you receive.","actor":"us","usual_working_days":{"from":2,"to":5},"station":7,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The buyer’s money reaches us and the agent hands over the keys.","actor":"other_side","usual_working_days":{"from":1,"to":1},"station":7,"usual_weeks":{"from":12,"to":22}},
  {"key":"mortgage_repaid_proceeds_paid","title":"Mortgage repayment and sale proceeds","explanation":"We pay your lender, the agent and our bill, and send the rest to the account we’ve checked with you.","actor":"us","usual_working_days":{"from":1,"to":2},"station":8,"usual_weeks":null},
  {"key":"closed","title":"Closing your case","explanation":"Your lender’s charge is removed from the title and we store your file.","actor":"us","usual_working_days":{"from":10,"to":30},"station":8,"usual_weeks":null}
]}');

insert into firm_data (kind, version, value) values ('milestone_path/purchase', 1, '{"stations": [
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
  {"key":"instructed","title":"Opening your case","explanation":"You’ve asked us to act for you. We send you our terms and an estimate of the costs.","actor":"us","usual_working_days":{"from":1,"to":3},"station":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity and address check","explanation":"The law requires us to check who you are before we start.","actor":"you","usual_working_days":{"from":1,"to":5},"station":1,"usual_weeks":null},
  {"key":"funds_checked","title":"Source of funds check","explanation":"The law requires us to check where your money comes from, including gifts.","actor":"you","usual_working_days":{"from":3,"to":10},"station":1,"usual_weeks":null},
  {"key":"searches_paid","title":"Paying for searches","explanation":"We order each search once you’ve paid for it.","actor":"you","usual_working_days":{"from":1,"to":5},"station":3,"usual_weeks":null},
  {"key":"contract_pack_received","title":"Contract pack","explanation":"The seller’s lawyer sends us the draft contract, the title and the seller’s forms.","actor":"other_side","usual_working_days":{"from":5,"to":15},"station":2,"usual_weeks":null},
  {"key":"searches_ordered","title":"Ordering searches","explanation":"We ask the council, the water company and others about the property.","actor":"us","usual_working_days":{"from":8,"to":12},"station":3,"usual_weeks":null},
  {"key":"title_reviewed","title":"Review of title and forms","explanation":"We check that the seller owns the home and which rules apply to it.","actor":"us","usual_working_days":{"from":3,"to":8},"station":2,"usual_weeks":null},
  {"key":"enquiries_raised","title":"Questions to the seller","explanation":"We ask the seller’s lawyer about anything that’s unclear.","actor":"us","usual_working_days":{"from":1,"to":5},"station":4,"usual_weeks":null},
  {"key":"mortgage_offer_received","title":"Mortgage offer","explanation":"Your lender sends us its formal offer.","actor":"third_party","usual_working_days":{"from":15,"to":25},"station":4,"usual_weeks":null},
  {"key":"searches_received","title":"Search results","explanation":"The results arrive one by one, and we check each of them.","actor":"third_party","usual_working_days":{"from":8,"to":15},"station":3,"usual_weeks":null},
  {"key":"enquiries_answered","title":"Replies to our questions","explanation":"The seller’s lawyer answers our questions until we’re satisfied.","actor":"other_side","usual_working_days":{"from":10,"to":30},"station":4,"usual_weeks":null},
  {"key":"report_sent","title":"Our report to you","explanation":"You read our report on the home, and can ask us anything about it.","actor":"us","usual_working_days":{"from":3,"to":7},"station":4,"usual_weeks":null},
  {"key":"documents_signed","title":"Signing","explanation":"You sign the contract, the transfer and any mortgage deed. Some deeds need a witness. You’re only committed when contracts are exchanged.","actor":"you","usual_working_days":{"from":2,"to":7},"station":5,"usual_weeks":null},
  {"key":"deposit_received","title":"Deposit","explanation":"You pay the deposit by bank transfer, usually 10% of the price. It has to clear before exchange.","actor":"you","usual_working_days":{"from":1,"to":5},"station":5,"usual_weeks":null},
  {"key":"exchanged","title":"Exchange of contracts","explanation":"From this day you’re legally bound and the moving date is fixed. Insure the home from then.","actor":"us","usual_working_days":{"from":1,"to":5},"station":6,"usual_weeks":{"from":10,"to":20}},
  {"key":"pre_completion","title":"Final checks and money","explanation":"We do the final searches, ask your lender for the money and send you a completion statement.","actor":"us","usual_working_days":{"from":3,"to":10},"station":7,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The money reaches the seller and you collect your keys.","actor":"other_side","usual_working_days":{"from":1,"to":1},"station":7,"usual_weeks":{"from":12,"to":22}},
  {"key":"tax_filed","title":"Property tax return","explanation":"We file the return and pay your Stamp Duty Land Tax, or Land Transaction Tax in Wales.","actor":"us","usual_working_days":{"from":1,"to":10},"station":8,"usual_weeks":null},
  {"key":"registration_applied","title":"Application to HM Land Registry","explanation":"Your ownership is protected while HM Land Registry processes our application.","actor":"third_party","usual_working_days":{"from":1,"to":20},"station":8,"usual_weeks":null},
  {"key":"registered","title":"Registration in your name","explanation":"HM Land Registry registers you as the owner. We send you the updated title and close your case.","actor":"third_party","usual_working_days":{"from":20,"to":120},"station":8,"usual_weeks":null}
]}');

insert into firm_data (kind, version, value) values ('milestone_path/remortgage', 1, '{"stations": [
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
  {"key":"instructed","title":"Opening your case","explanation":"You’ve asked us to act for you on your new mortgage.","actor":"us","usual_working_days":{"from":1,"to":3},"station":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity check","explanation":"The law requires us to check who you are before we start.","actor":"you","usual_working_days":{"from":1,"to":5},"station":1,"usual_weeks":null},
  {"key":"title_obtained","title":"Title check","explanation":"We check the official title to your home.","actor":"us","usual_working_days":{"from":1,"to":3},"station":2,"usual_weeks":null},
  {"key":"redemption_statement","title":"Mortgage redemption figure","explanation":"Your current lender tells us what it costs to repay the old loan.","actor":"third_party","usual_working_days":{"from":3,"to":10},"station":2,"usual_weeks":null},
  {"key":"mortgage_offer_received","title":"New mortgage offer","explanation":"Your new lender sends us its formal offer.","actor":"third_party","usual_working_days":{"from":10,"to":20},"station":3,"usual_weeks":null},
  {"key":"searches_or_insurance","title":"Search or insurance","explanation":"We get a search, or an insurance policy instead of one, as your new lender requires.","actor":"us","usual_working_days":{"from":1,"to":5},"station":3,"usual_weeks":null},
  {"key":"deed_signed","title":"Signing the mortgage deed","explanation":"You sign the new mortgage deed in front of a witness.","actor":"you","usual_working_days":{"from":2,"to":7},"station":4,"usual_weeks":null},
  {"key":"final_searches","title":"Final searches","explanation":"We do priority and bankruptcy checks just before the money moves.","actor":"us","usual_working_days":{"from":1,"to":2},"station":5,"usual_weeks":null},
  {"key":"funds_requested","title":"Request for the new loan","explanation":"We ask your new lender for the money, and they send it to us.","actor":"third_party","usual_working_days":{"from":3,"to":7},"station":5,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The old loan is repaid, and any balance comes to you.","actor":"us","usual_working_days":{"from":1,"to":1},"station":6,"usual_weeks":{"from":4,"to":10}},
  {"key":"registration_applied","title":"Application to HM Land Registry","explanation":"HM Land Registry processes our application to register your new mortgage.","actor":"third_party","usual_working_days":{"from":1,"to":20},"station":7,"usual_weeks":null},
  {"key":"registered","title":"Registration","explanation":"HM Land Registry adds your new lender to the title, and we close your case.","actor":"third_party","usual_working_days":{"from":20,"to":60},"station":7,"usual_weeks":null}
]}');

insert into firm_data (kind, version, value) values ('milestone_path/transfer-of-equity', 1, '{"stations": [
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
  {"key":"instructed","title":"Opening your case","explanation":"You tell us who joins or leaves the title, and about any money paid for it.","actor":"us","usual_working_days":{"from":1,"to":3},"station":0,"usual_weeks":null},
  {"key":"identity_checked","title":"Identity check","explanation":"We check the identity of everyone involved.","actor":"you","usual_working_days":{"from":1,"to":5},"station":1,"usual_weeks":null},
  {"key":"separate_advice","title":"Separate legal advice","explanation":"Some people need their own lawyer for this.","actor":"third_party","usual_working_days":{"from":5,"to":15},"station":1,"usual_weeks":null},
  {"key":"title_obtained","title":"Title check","explanation":"We check the title and who is on it.","actor":"us","usual_working_days":{"from":1,"to":3},"station":2,"usual_weeks":null},
  {"key":"lender_consent","title":"Lender’s consent","explanation":"Your lender agrees to the change or makes a new offer.","actor":"third_party","usual_working_days":{"from":10,"to":25},"station":3,"usual_weeks":null},
  {"key":"transfer_drafted","title":"Transfer deed","explanation":"We write the deed and send it to everyone.","actor":"us","usual_working_days":{"from":2,"to":7},"station":4,"usual_weeks":null},
  {"key":"searches","title":"Final searches","explanation":"We do priority and bankruptcy checks.","actor":"us","usual_working_days":{"from":1,"to":2},"station":4,"usual_weeks":null},
  {"key":"signed_by_all","title":"Signing","explanation":"Everyone signs in front of a witness.","actor":"you","usual_working_days":{"from":3,"to":10},"station":5,"usual_weeks":null},
  {"key":"completed","title":"Completion","explanation":"The transfer is dated and any money is paid over.","actor":"us","usual_working_days":{"from":1,"to":1},"station":6,"usual_weeks":{"from":6,"to":12}},
  {"key":"tax_return","title":"Property tax return","explanation":"If a return is due, we file it and pay the tax.","actor":"us","usual_working_days":{"from":1,"to":10},"station":6,"usual_weeks":null},
  {"key":"registration_applied","title":"Application to HM Land Registry","explanation":"HM Land Registry processes our application to register the change.","actor":"third_party","usual_working_days":{"from":1,"to":20},"station":7,"usual_weeks":null},
  {"key":"registered","title":"Registration","explanation":"HM Land Registry enters the new owners on the title, and we close your case.","actor":"third_party","usual_working_days":{"from":20,"to":60},"station":7,"usual_weeks":null}
]}');

-- The version of its path that a matter has, so that a change of the path leaves running matters alone.
alter table matters add column path_version integer not null default 1;

-- Weeks after the instruction at which exchange and completion usually are, as the path of the matter says.
alter table milestones add column usual_weeks_from integer;
alter table milestones add column usual_weeks_to integer;
alter table milestones add check (usual_weeks_from <= usual_weeks_to);
-- Nothing that clients see changes, so that no one has to be notified.
alter table milestones disable trigger user;
update milestones set usual_weeks_from = (step -> 'usual_weeks' ->> 'from')::integer,
  usual_weeks_to = (step -> 'usual_weeks' ->> 'to')::integer
from matters, firm_data, jsonb_array_elements(firm_data.value -> 'steps') step
where matters.id = milestones.matter_id and firm_data.kind = 'milestone_path/' || matters.matter_type
  and step ->> 'key' = milestones.key and step -> 'usual_weeks' <> 'null'::jsonb;
alter table milestones enable trigger user;
