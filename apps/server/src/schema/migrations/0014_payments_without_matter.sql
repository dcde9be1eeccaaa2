-- Finds the payments whose matter finance has to name.
create index payments_without_matter on payments (paid_at)
  where matter_id is null and bill_id is null and paid_at is not null;
