import type { Services } from '../../api/services/services.ts';
import { authenticated } from './authenticated.ts';
import { guest } from './guest.ts';
import { caseHistoryMaintenance, maintenance } from './maintenance.ts';

export interface GuardedEntry {
  services: Services;
  /** Path, query and fragment of where the client is going. */
  href: string;
  /** The query, parsed. */
  search: { next?: unknown };
}

/** Lets the client pass, or throws the router's redirect. */
export type Guard = (entry: GuardedEntry) => void;

const guards: Record<string, Guard> = {
  authenticated,
  guest,
  maintenance,
  'case-history-maintenance': caseHistoryMaintenance,
};

/**
 * Runs the named guards in order.
 * @throws the router's redirect, or an Error for a name that no guard has
 */
export function runGuards(names: readonly string[], entry: GuardedEntry): void {
  for (const name of names) {
    if (!Object.hasOwn(guards, name)) throw new Error('Unknown route middleware');
    guards[name]?.(entry);
  }
}
