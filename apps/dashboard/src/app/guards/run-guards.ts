import { authenticated } from './authenticated.ts';
import type { Guard, GuardContext } from './guard.ts';
import { guest } from './guest.ts';
import { caseHistoryMaintenance, maintenance } from './maintenance.ts';

const guards: Record<string, Guard> = {
  authenticated,
  guest,
  maintenance,
  'case-history-maintenance': caseHistoryMaintenance,
};

/**
 * Runs the named guards in order.
 * @throws what a guard throws, or an Error for an unknown name
 */
export function runGuards(names: readonly string[], context: GuardContext): void {
  for (const name of names) {
    if (!Object.hasOwn(guards, name)) throw new Error('Unknown route middleware');
    guards[name]?.(context);
  }
}
