-- When a bill is due. A bill with neither was due when it was issued.
alter table bills
  add column due_on date,
  -- Due when its matter completes.
  add column due_on_completion boolean not null default false,
  add check (not due_on_completion or (due_on is null and matter_id is not null));
