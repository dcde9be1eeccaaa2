import type { MaintenanceNotice } from '@keyturn/contract';
import type { Guard } from './guard.ts';

/** Stops every navigation while the whole dashboard is in maintenance. */
export const maintenance: Guard = ({ services }) => throwDuring(services.maintenance.get().general);

/** Stops navigations to the case history while it is in maintenance. */
export const caseHistoryMaintenance: Guard = ({ services }) =>
  throwDuring(services.maintenance.get().case_history);

function throwDuring(notice: MaintenanceNotice | null) {
  if (notice) throw new MaintenanceError(notice);
}

/** Shown as the error page, with the firm's message and the expected end of the maintenance. */
export class MaintenanceError extends Error {
  readonly notice: MaintenanceNotice;

  constructor(notice: MaintenanceNotice) {
    super('in maintenance');
    this.notice = notice;
  }
}
