create trigger conveyancing_cases_broadcast_insert after insert on conveyancing_cases
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');

create trigger conveyancing_cases_broadcast_update after update on conveyancing_cases
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');

create trigger conveyancing_cases_summary_insert after insert on conveyancing_cases
  referencing new table as rows_after for each statement execute function summarise_changed_cases();

create trigger conveyancing_cases_summary_update after update on conveyancing_cases
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_changed_cases();

create trigger matters_broadcast_insert after insert on matters
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');

create trigger matters_broadcast_update after update on matters
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', 'ledger');

create trigger matters_summary_delete after delete on matters
  referencing old table as rows_before for each statement execute function summarise_cases_of_matters();

create trigger matters_summary_insert after insert on matters
  referencing new table as rows_after for each statement execute function summarise_cases_of_matters();

create trigger matters_summary_update after update on matters
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_matters();

-- Of what is broadcast, the feed deletes only steps.
create trigger milestones_broadcast_delete after delete on milestones
  referencing old table as rows_before for each statement
  execute function broadcast_changed_rows('MilestoneReached');

create trigger milestones_broadcast_insert after insert on milestones
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('MilestoneReached', '');

create trigger milestones_broadcast_update after update on milestones
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('MilestoneReached', '');

create trigger milestones_summary_delete after delete on milestones
  referencing old table as rows_before for each statement execute function summarise_cases_of_milestones();

create trigger milestones_summary_insert after insert on milestones
  referencing new table as rows_after for each statement execute function summarise_cases_of_milestones();

create trigger milestones_summary_update after update on milestones
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_milestones();
