import { useSyncExternalStore } from 'react';

/** A value outside React that components can follow. */
export interface ReadableStore<T> {
  /** Returns the same object until something changes. */
  get(): T;
  /** @returns a function that stops listening */
  subscribe(listener: () => void): () => void;
}

export interface Store<T> extends ReadableStore<T> {
  /** Replaces the value. Notifies the listeners unless it is the same. */
  set(value: T): void;
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns the store’s value, and renders again whenever it changes. */
export const useStore = <T>({ get, subscribe }: ReadableStore<T>): T =>
  useSyncExternalStore(subscribe, get, get);

/** Returns what `select` finds in the store’s value, and renders again whenever that changes. */
export function useSelected<T, Selected>(
  { get, subscribe }: ReadableStore<T>,
  select: (value: T) => Selected,
): Selected {
  const selected = () => select(get());
  return useSyncExternalStore(subscribe, selected, selected);
}
