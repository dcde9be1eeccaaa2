import { useState } from 'react';
import { createStore, type ReadableStore, useStore } from '../store/create-store.ts';

interface ActionState {
  isBusy: boolean;
  /** Why the last attempt failed; null while it runs, and after a success. */
  failure: unknown;
}

/** One action at a time of a person at the page, such as sending a form. */
export interface Action extends ActionState {
  /** Performs the action, unless it is running already. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Forgets the failure. */
  reset(): void;
}

interface ActionOptions {
  /** Stays busy after a success, until another page replaces this one. */
  staysBusy?: boolean;
}

/** Creates the state of an action outside React. */
export function createAction({ staysBusy = false }: ActionOptions = {}): ReadableStore<ActionState> & {
  run(work: () => Promise<unknown>, onFailure?: (error: unknown) => void): Promise<void>;
  reset(): void;
} {
  const { get, set, subscribe } = createStore<ActionState>({ isBusy: false, failure: null });
  return {
    get,
    subscribe,
    run: async (work, onFailure) => {
      if (get().isBusy) return;
      set({ isBusy: true, failure: null });
      try {
        await work();
        if (!staysBusy) set({ isBusy: false, failure: null });
      } catch (failure) {
        set({ isBusy: false, failure });
        onFailure?.(failure);
      }
    },
    reset: () => set({ ...get(), failure: null }),
  };
}

/**
 * Creates the state of an action that a button or a form starts.
 * @param onFailure receives each failure, for pages that show it elsewhere than from `failure`
 */
export function useAction(onFailure?: (error: unknown) => void, options?: ActionOptions): Action {
  const [{ run, reset, ...store }] = useState(() => createAction(options));
  return { ...useStore(store), run: (work) => run(work, onFailure), reset };
}
