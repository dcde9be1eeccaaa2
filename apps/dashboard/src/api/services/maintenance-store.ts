import type { Maintenance } from '@keyturn/contract';
import type { Call } from '../client/call.ts';

/** The maintenance state that this tab knows of. */
export interface MaintenanceStore {
  /** Returns the same object until something changes. */
  get(): Maintenance;
  /** Fetches the state from the server. A failed request changes nothing. */
  refresh(): Promise<void>;
  subscribe(listener: () => void): () => void;
}

/** @param known the state when the page was sent */
export function createMaintenanceStore(known: Maintenance, call: () => Call): MaintenanceStore {
  const listeners = new Set<() => void>();
  let state = known;
  let pending: Promise<void> | null = null;
  return {
    get: () => state,
    refresh: () => {
      pending ??= call()('GET /maintenance', { background: true, timeout: 5_000 })
        .then((found) => {
          if (JSON.stringify(found) === JSON.stringify(state)) return;
          state = found;
          for (const listener of [...listeners]) listener();
        })
        .catch(() => undefined)
        .finally(() => {
          pending = null;
        });
      return pending;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
