-- Whether the firm has not checked a document yet: it is the result of a search that is not reviewed, or an earlier version
-- of such a result. A file that is also the result of a reviewed search was checked.
create or replace function awaits_check(document documents) returns boolean language sql stable as $$
  -- Versions and results are in the matter of the document, and most matters have no such search.
  select exists (
      select from case_searches
      where matter_id = document.matter_id and result_document_id is not null and status <> 'reviewed'
    ) and not exists (
      select from case_searches where result_document_id = document.id and status = 'reviewed'
    ) and exists (
      with recursive versions as (
        select document.id
        union select newer.id from versions join documents newer
          on newer.supersedes_id = versions.id and newer.withdrawn_at is null
      )
      select from versions join case_searches on result_document_id = versions.id where status <> 'reviewed')
$$;
