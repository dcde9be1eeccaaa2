import type { MaintenanceNotice } from '@keyturn/contract';
import { useSyncExternalStore } from 'react';
import { useServices } from '../services/services.ts';

/** What is said of the case history while it alone is in maintenance; null while it is open. */
export function useHistoryMaintenance(): MaintenanceNotice | null {
  const { maintenance } = useServices();
  const notice = () => maintenance.get().case_history;
  return useSyncExternalStore(maintenance.subscribe, notice, notice);
}
