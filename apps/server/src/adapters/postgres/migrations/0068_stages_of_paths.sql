-- Screens and code call the parts of a milestone path stages: the stored versions called them stations.
alter table firm_data disable trigger firm_data_append_only;
update firm_data set value = jsonb_build_object(
  'stages', value -> 'stations',
  'steps', (
    select jsonb_agg((step.value - 'station') || jsonb_build_object('stage', step.value -> 'station') order by step.place)
    from jsonb_array_elements(firm_data.value -> 'steps') with ordinality step (value, place)
  )
)
where kind like 'milestone_path/%';
alter table firm_data enable trigger firm_data_append_only;
