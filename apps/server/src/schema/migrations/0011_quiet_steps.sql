-- Steps and cases about which Keyturn sends and apologises for nothing by itself. Separate from the milestones, so that neither an
-- export of a client's data nor the case feed contains it.
create table quiet_steps (
  case_id uuid not null references conveyancing_cases on delete cascade,
  milestone_id uuid references milestones on delete cascade,
  unique nulls not distinct (case_id, milestone_id)
);
comment on table quiet_steps is 'Quiet steps; a row without a milestone makes the whole case quiet. No reason is stored.';
create index quiet_steps_milestone on quiet_steps (milestone_id);
