import { createStore, type Store } from '@keyturn/browser/store/create-store.ts';

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

export type LiveStore = Store<LiveState>;

export const noChannel: LiveState = {
  status: 'off',
  since: 0,
  socketId: null,
  others: [],
  announcement: null,
};

export const createLiveStore = (): LiveStore => createStore(noChannel);
