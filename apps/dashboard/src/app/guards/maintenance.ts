import type { Maintenance, MaintenanceNotice } from '@keyturn/contract';
import type { Guard } from './guard.ts';

/** Stops every navigation while the whole dashboard is in maintenance. */
export const maintenance: Guard = ({ services }) => {
  const { general } = services.maintenance.get();
  if (general) throw new MaintenanceError('general', general);
};

/** Stops navigations to the case history while it alone is in maintenance. */
export const caseHistoryMaintenance: Guard = ({ services }) => {
  const { general, case_history } = services.maintenance.get();
  if (case_history && !general) throw new MaintenanceError('case_history', case_history);
};

/** Shown as the error page, with the firm's message and the expected end of the maintenance. */
export class MaintenanceError extends Error {
  readonly area: keyof Maintenance;
  readonly notice: MaintenanceNotice;

  constructor(area: keyof Maintenance, notice: MaintenanceNotice) {
    super('in maintenance');
    this.area = area;
    this.notice = notice;
  }
}
