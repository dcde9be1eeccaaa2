import type { Services } from '../../api/services/services.ts';

/** The navigation that a guard decides about. */
export interface GuardContext {
  services: Services;
  /** Path, query and fragment of the target. */
  href: string;
  /** The parsed query. */
  search: { next?: unknown };
}

/** Returns to let the navigation through; throws a Redirect or a MaintenanceError to stop it. */
export type Guard = (context: GuardContext) => void;
