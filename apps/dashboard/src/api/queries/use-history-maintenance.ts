import { useSelected } from '@keyturn/browser/store/create-store.ts';
import type { MaintenanceNotice } from '@keyturn/contract';
import { useServices } from '../services/services.ts';

/** Returns the maintenance notice of the case history, or null while it is available. */
export const useHistoryMaintenance = (): MaintenanceNotice | null =>
  useSelected(useServices().maintenance, ({ case_history }) => case_history);
