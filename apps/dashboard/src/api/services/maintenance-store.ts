import { createStore, type ReadableStore } from '@keyturn/browser/store/create-store.ts';
import type { Maintenance } from '@keyturn/contract';
import type { Call } from '../client/call.ts';

/** The maintenance state that this tab knows of. */
export interface MaintenanceStore extends ReadableStore<Maintenance> {
  /** Fetches the state from the server. A failed request changes nothing. */
  refresh(): Promise<void>;
}

/** @param known the state when the page was sent */
export function createMaintenanceStore(known: Maintenance, call: () => Call): MaintenanceStore {
  const { get, set, subscribe } = createStore(known);
  let pending: Promise<void> | null = null;
  return {
    get,
    subscribe,
    refresh: () => {
      pending ??= call()('GET /maintenance', { background: true, timeout: 5_000 })
        .then((found) => {
          if (JSON.stringify(found) !== JSON.stringify(get())) set(found);
        })
        .catch(() => undefined)
        .finally(() => {
          pending = null;
        });
      return pending;
    },
  };
}
