import type { MaintenanceNotice } from '@keyturn/contract';
import { useSyncExternalStore } from 'react';
import { useServices } from '../services/services.ts';

/** Returns the maintenance notice of the case history, or null while it is available. */
export function useHistoryMaintenance(): MaintenanceNotice | null {
  const { maintenance } = useServices();
  const notice = () => maintenance.get().case_history;
  return useSyncExternalStore(maintenance.subscribe, notice, notice);
}
