-- Tasks are found by their document and by their search, however many there are.

create index tasks_document on tasks (document_id) where document_id is not null;
create index tasks_case_search on tasks (case_search_id) where case_search_id is not null;
