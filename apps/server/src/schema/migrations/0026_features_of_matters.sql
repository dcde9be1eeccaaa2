-- What makes a matter special, such as a leasehold flat, decides which steps of its path it has.
alter table matters add column features text[] not null default '{}';
comment on column matters.features is 'What makes the matter special, such as `leasehold`: steps of its path can be for these only.';

-- Steps for them in the paths that Keyturn ships. A firm that has edited a path keeps its own; running matters keep theirs until
-- an admin applies the new path to them.
with shipped as (
  select * from (
    select distinct on (kind) kind, version, value, changed_by from firm_data
    where starts_with(kind, 'milestone_path/') order by kind, version desc) newest
  where changed_by is null
),
added(place, kind, after, step) as (
  select place, 'milestone_path/' || matter_type, after, step || '{"usual_working_days": null, "usual_weeks": null}'
  from (values
  (1, 'purchase', 'contract_pack_received', '{"key":"auction_pack","title":"Auction pack","explanation":"We read the auctioneer’s legal pack and the special conditions of the sale. At a traditional auction you’re legally bound when the hammer falls. At other auctions you pay to reserve the home, and exchange later.","actor":"us","stage":2,"features":["auction"]}'::jsonb),
  (2, 'purchase', 'contract_pack_received', '{"key":"new_home_papers","title":"Papers of a new home","explanation":"The developer’s lawyer sends the warranty, the planning papers and the building control papers, and we check them.","actor":"other_side","stage":2,"features":["new_build"]}'),
  (3, 'purchase', 'contract_pack_received', '{"key":"old_deeds","title":"Old deeds","explanation":"The seller’s lawyer proves with the old deeds that the seller owns the land. We check the deeds and search the land charges register.","actor":"other_side","stage":2,"features":["unregistered"]}'),
  (4, 'purchase', 'title_reviewed', '{"key":"leasehold_information","title":"Leasehold information","explanation":"The landlord or managing agent answers the usual questions about the lease (form LPE1), and we check the answers. The seller usually orders and pays for them.","actor":"third_party","stage":2,"features":["leasehold","shared_ownership"]}'),
  (5, 'purchase', 'title_reviewed', '{"key":"landlord_certificate","title":"Landlord’s certificate","explanation":"The landlord certifies how far leaseholders are protected from the costs of making the building safe (Building Safety Act 2022).","actor":"third_party","stage":2,"features":["higher_building"]}'),
  (6, 'purchase', 'title_reviewed', '{"key":"leaseholder_deed","title":"Leaseholder’s deed of certificate","explanation":"If the lease qualifies, a deed of certificate by the leaseholder shows that it’s protected from some or all of the costs of making the building safe.","actor":"other_side","stage":2,"features":["higher_building"]}'),
  (7, 'purchase', 'mortgage_offer_received', '{"key":"shared_ownership_lease","title":"Shared ownership","explanation":"We explain which share you buy, the rent for the rest, and how you can buy more later.","actor":"us","stage":5,"features":["shared_ownership"]}'),
  (8, 'purchase', 'documents_signed', '{"key":"deed_of_covenant","title":"Deed of covenant","explanation":"If the lease requires it, you sign a deed in which you promise to keep to the lease.","actor":"you","stage":6,"features":["leasehold","shared_ownership"]}'),
  (9, 'purchase', 'exchanged', '{"key":"completion_notice","title":"Notice that the home is ready","explanation":"When the home is ready, the developer’s lawyer gives notice. Completion follows within the time that the contract sets.","actor":"other_side","stage":8,"features":["new_build"]}'),
  (10, 'purchase', 'tax_filed', '{"key":"lease_notices","title":"Notices to the landlord","explanation":"We give the landlord or managing agent notice of the new owner and of any mortgage.","actor":"us","stage":9,"features":["leasehold","shared_ownership"]}'),
  (11, 'purchase', 'tax_filed', '{"key":"compliance_certificate","title":"Certificate of compliance","explanation":"If the register requires it, the landlord or managing agent certifies that the change of owner complies with the lease, so that HM Land Registry can register you.","actor":"third_party","stage":9,"features":["leasehold","shared_ownership"]}'),
  (12, 'sale', 'property_forms', '{"key":"landlord_nomination","title":"Landlord’s right to find a buyer","explanation":"If your lease says so, the landlord can look for a buyer first, for a set time.","actor":"third_party","stage":2,"features":["shared_ownership"]}'),
  (13, 'sale', 'title_obtained', '{"key":"old_deeds","title":"Old deeds","explanation":"We prove with your old deeds that you own the land.","actor":"us","stage":2,"features":["unregistered"]}'),
  (14, 'sale', 'leasehold_pack_ordered', '{"key":"leaseholder_deed","title":"Your deed of certificate","explanation":"If your lease qualifies, you sign a deed of certificate, and we give it to the landlord. It shows that the lease is protected from some or all of the costs of making the building safe.","actor":"you","stage":2,"features":["higher_building"]}'),
  (15, 'sale', 'leasehold_pack_ordered', '{"key":"landlord_certificate","title":"Landlord’s certificate","explanation":"The landlord certifies how far leaseholders are protected from the costs of making the building safe (Building Safety Act 2022). We give the certificate to the buyer’s lawyer.","actor":"third_party","stage":2,"features":["higher_building"]}'),
  (16, 'sale', 'contract_pack_sent', '{"key":"auction_pack","title":"Auction pack","explanation":"We give the auctioneer the title, the searches and the conditions of sale, so that buyers can read them before the auction.","actor":"us","stage":3,"features":["auction"]}'),
  (17, 'remortgage', 'mortgage_offer_received', '{"key":"landlord_consent","title":"Landlord’s consent","explanation":"The landlord of a shared ownership home has to agree to the new mortgage.","actor":"third_party","stage":3,"features":["shared_ownership"]}'),
  (18, 'remortgage', 'completed', '{"key":"lease_notices","title":"Notice to the landlord","explanation":"If the lease requires it, we give the landlord or managing agent notice of the new mortgage.","actor":"us","stage":7,"features":["leasehold","shared_ownership"]}'),
  (19, 'transfer-of-equity', 'identity_checked', '{"key":"funds_checked","title":"Source of funds check","explanation":"If money is paid for the share, we check where it comes from.","actor":"you","stage":1,"features":["for_value"]}'),
  (20, 'transfer-of-equity', 'lender_consent', '{"key":"landlord_consent","title":"Landlord’s consent","explanation":"If the lease requires it, the landlord has to agree to the change of owner.","actor":"third_party","stage":3,"features":["leasehold","shared_ownership"]}'),
  (21, 'transfer-of-equity', 'transfer_drafted', '{"key":"identity_evidence","title":"Identity form ID1","explanation":"Anyone without a lawyer proves who they are on HM Land Registry’s form ID1, for our application to register the change.","actor":"third_party","stage":4,"features":["unrepresented"]}'),
  (22, 'transfer-of-equity', 'tax_return', '{"key":"lease_notices","title":"Notice to the landlord","explanation":"We give the landlord or managing agent notice of the change of owner.","actor":"us","stage":7,"features":["leasehold","shared_ownership"]}')
  ) as steps(place, matter_type, after, step)
),
placed as (
  select kind, item.value as step, item.position, 0 as place from shipped
  cross join jsonb_array_elements(value -> 'steps') with ordinality item(value, position)
  union all
  select kind, added.step, item.position, place from shipped
  join added using (kind)
  join jsonb_array_elements(value -> 'steps') with ordinality item(value, position) on item.value ->> 'key' = added.after
)
insert into firm_data (kind, version, value)
select kind, version + 1, value || jsonb_build_object('steps',
  (select jsonb_agg(step order by position, place) from placed where placed.kind = shipped.kind))
from shipped;
