import type { MaintenanceNotice } from '@keyturn/contract';
import type { Guard } from './run-guards.ts';

/** While everything is in maintenance, no screen. */
export const maintenance: Guard = ({ services }) => refuseWhile(services.maintenance.get().general);

/** The same for the case history alone. */
export const caseHistoryMaintenance: Guard = ({ services }) =>
  refuseWhile(services.maintenance.get().case_history);

function refuseWhile(notice: MaintenanceNotice | null) {
  if (notice) throw new InMaintenance(notice);
}

/** Instead of a screen: the error page says what the firm says, and when it is expected to end. */
export class InMaintenance extends Error {
  readonly notice: MaintenanceNotice;

  constructor(notice: MaintenanceNotice) {
    super('in maintenance');
    this.notice = notice;
  }
}
