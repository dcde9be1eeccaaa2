-- Open pages check for maintenance again.
create or replace function broadcast_maintenance() returns trigger language plpgsql as $$
begin
  perform broadcast('status', 'MaintenanceChanged', '{}');
  return null;
end $$;
