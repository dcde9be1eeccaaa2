-- Clients see the file of a result once the firm has reviewed the search.
create index case_searches_result on case_searches (result_document_id) where result_document_id is not null;
