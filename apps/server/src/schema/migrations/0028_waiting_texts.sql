-- The firm's texts for whom a step waits, for ordinary and quiet steps alike.
insert into firm_data (kind, version, value) values ('waiting_texts', 1, '[
  "Us",
  "Everyone in the chain",
  "The other side",
  "The other side’s lawyer",
  "The lender",
  "The landlord or managing agent",
  "The council",
  "HM Land Registry",
  "Another organisation"
]');
