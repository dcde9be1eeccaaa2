-- What the firm told its clients to expect of a search or a bill.
alter table case_searches
  add column estimate integer check (estimate > 0),
  add column above_estimate text;
comment on column case_searches.estimate is 'Pence with VAT that the firm told the client to expect; null if it gave no estimate.';
comment on column case_searches.above_estimate is 'Why the price is more than the estimate, as clients read it.';
alter table bills
  add column estimate integer check (estimate > 0),
  add column above_estimate text;
comment on column bills.estimate is 'Pence with VAT that the firm told the client to expect; null if it gave no estimate.';
comment on column bills.above_estimate is 'Why the bill is more than the estimate, as clients read it.';
