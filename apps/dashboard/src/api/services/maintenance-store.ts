import type { Maintenance } from '@keyturn/contract';
import type { Call } from '../client/call.ts';

/** What is in maintenance, as far as this tab knows. */
export interface MaintenanceStore {
  /** The same object until something changes. */
  get(): Maintenance;
  /** Asks the server; what cannot be asked stays as it was. */
  refresh(): Promise<void>;
  subscribe(listener: () => void): () => void;
}

/** @param known as it was when the page was sent */
export function createMaintenanceStore(known: Maintenance, call: () => Call): MaintenanceStore {
  const listeners = new Set<() => void>();
  let state = known;
  let asking: Promise<void> | null = null;
  return {
    get: () => state,
    refresh: () => {
      asking ??= call()('GET /maintenance', { background: true, timeout: 5_000 })
        .then((found) => {
          if (JSON.stringify(found) === JSON.stringify(state)) return;
          state = found;
          for (const listener of [...listeners]) listener();
        })
        .catch(() => undefined)
        .finally(() => {
          asking = null;
        });
      return asking;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
