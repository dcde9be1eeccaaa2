import { type Static, Type } from 'typebox';
import { Instant, Nullable } from './values.ts';

/** The notice of a part that is in maintenance. */
export const MaintenanceNotice = Type.Object({
  /** A message from the firm; null for the default one. */
  message: Nullable(Type.String()),
  /** When the maintenance is expected to end. */
  until: Nullable(Instant),
});
export type MaintenanceNotice = Static<typeof MaintenanceNotice>;

/** The parts of the dashboard that can be in maintenance; null for a part that works. */
export const Maintenance = Type.Object({
  general: Nullable(MaintenanceNotice),
  case_history: Nullable(MaintenanceNotice),
});
export type Maintenance = Static<typeof Maintenance>;
