-- What a search costs the firm, apart from what it charges the client.
alter table case_searches
  add column supplier_cost integer check (supplier_cost >= 0),
  add column rebate integer check (rebate >= 0);
comment on column case_searches.supplier_cost is
  'Pence with VAT that the supplier charges; the rest of the price is the firm''s charge. Null if the firm has not said.';
comment on column case_searches.rebate is 'Pence that the supplier pays back to the firm. Clients do not see it.';
