create trigger case_searches_broadcast_insert after insert on case_searches
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseSearchUpdated', '');

create trigger case_searches_broadcast_update after update on case_searches
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseSearchUpdated', '');

create trigger case_searches_summary_delete after delete on case_searches
  referencing old table as rows_before for each statement execute function summarise_cases_of_searches();

create trigger case_searches_summary_insert after insert on case_searches
  referencing new table as rows_after for each statement execute function summarise_cases_of_searches();

create trigger case_searches_summary_update after update on case_searches
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_searches();

create trigger tasks_broadcast_insert after insert on tasks
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('TaskUpdated', '');

create trigger tasks_broadcast_update after update on tasks
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('TaskUpdated', '');

create trigger history_entries_broadcast_insert after insert on history_entries
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('HistoryRecorded', '');

create trigger history_entries_broadcast_update after update on history_entries
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('HistoryRecorded', '');

create trigger history_entries_summary_delete after delete on history_entries
  referencing old table as rows_before for each statement execute function summarise_cases_of_history();

create trigger history_entries_summary_insert after insert on history_entries
  referencing new table as rows_after for each statement execute function summarise_cases_of_history();

create trigger history_entries_summary_update after update on history_entries
  referencing old table as rows_before new table as rows_after for each statement
  execute function summarise_cases_of_history();

create trigger bills_broadcast_insert after insert on bills
  referencing new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');

create trigger bills_broadcast_update after update on bills
  referencing old table as rows_before new table as rows_after for each statement
  execute function broadcast_changed_rows('CaseUpdated', '');

create trigger bills_lines_outdated before update of net, vat_rate, vat on bills for each row
  execute function forget_bill_lines();
