-- How a document is signed, when that commits its signers, and when the firm received the signed paper.

alter table documents
  add column signing text check (signing in ('simple', 'deed', 'wet_ink')),
  add column binds_on text check (binds_on in ('signature', 'exchange', 'completion')),
  add column received_on date;

-- Until now a typed name signed every document, and a contract was recognised by its title.
update documents set
  signing = 'simple',
  binds_on = case
    when matters.matter_type in ('sale', 'purchase')
      and documents.title ~* '^contract\M.*\m(sale|purchase)\M' then 'exchange'
  end
  from matters
  where documents.signature_required and matters.id = documents.matter_id;

alter table documents
  drop column signature_required,
  add check (binds_on is null or signing is not null),
  add check (received_on is null or signing in ('deed', 'wet_ink'));
