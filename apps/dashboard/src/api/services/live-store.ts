/** The real-time channel, as far as a screen has to know it. */
export interface LiveState {
  /** `off`: there is none, and nobody is waiting for it. */
  status: 'off' | 'waiting' | 'live';
  /** Milliseconds by this browser's clock: when that began. */
  since: number;
  /** Of the connection, while there is one; `X-Socket-Id` on every request. */
  socketId: string | null;
  /** The first names of the other owners who look at the case at this moment. */
  others: readonly string[];
  /** The last thing that was told of and may deserve a word; another object each time. */
  announcement: Announcement | null;
}

export interface Announcement {
  event: 'MilestoneReached' | 'DocumentShared';
  ids: readonly string[];
}

export interface LiveStore {
  /** The same object until something changes. */
  get(): LiveState;
  set(next: LiveState): void;
  subscribe(listener: () => void): () => void;
}

export const noChannel: LiveState = {
  status: 'off',
  since: 0,
  socketId: null,
  others: [],
  announcement: null,
};

export function createLiveStore(): LiveStore {
  const listeners = new Set<() => void>();
  let state = noChannel;
  return {
    get: () => state,
    set: (next) => {
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
