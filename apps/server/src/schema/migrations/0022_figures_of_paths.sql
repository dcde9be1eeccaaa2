-- The usual times of a path are figures of a day, which clients read next to them.
alter table milestones add column figures_of date;
comment on column milestones.figures_of is
  'The day of the figures in the usual times that the step has from its path; null without such times.';

-- The paths that Keyturn ships get the day of their figures. A firm that has edited one enters the day with its next change.
insert into firm_data (kind, version, value)
select kind, version + 1,
  replace(value::text, ' (figures of November 2026)', '')::jsonb || '{"figures_of": "2026-11-01"}'
from (
  select distinct on (kind) kind, version, value, changed_by from firm_data
  where starts_with(kind, 'milestone_path/') order by kind, version desc) newest
where changed_by is null;
