/** The state of the real-time channel that screens use. */
export interface LiveState {
  /** `off`: the channel is not in use. */
  status: 'off' | 'waiting' | 'live';
  /** When the status last changed, in milliseconds of this browser's clock. */
  since: number;
  /** The id of the connection, sent as `X-Socket-Id` with every request; null while disconnected. */
  socketId: string | null;
  /** First names of the joint clients who are viewing the case now. */
  others: readonly string[];
  /** The latest event that may be announced; a new object for each event. */
  announcement: Announcement | null;
}

export interface Announcement {
  event: 'MilestoneReached' | 'DocumentShared';
  ids: readonly string[];
}

export interface LiveStore {
  /** Returns the same object until something changes. */
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
