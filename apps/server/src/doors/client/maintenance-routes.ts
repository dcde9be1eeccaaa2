import type { CallHandlers } from '../../http/call-handlers.ts';
import type { ReadMaintenance } from '../../live/maintenance/read-maintenance.ts';

export const maintenanceRoutes = (readMaintenance: ReadMaintenance): CallHandlers<'GET /maintenance'> => ({
  'GET /maintenance': async () => readMaintenance(),
});
