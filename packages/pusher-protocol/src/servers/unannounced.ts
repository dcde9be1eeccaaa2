import type { ServerMessage } from './server-messages.ts';

/**
 * The entries of this server that may differ from what it has announced. Only their keys are kept: a member who joins
 * and leaves before the next announcement is never announced, however long the other servers cannot be reached.
 */
export interface Unannounced {
  /** User ids by channel. */
  readonly members: Map<string, Set<string>>;
  /** Channels with a different number of subscriptions. */
  readonly sizes: Set<string>;
  /** Number of entries that were added since there were none. */
  added: number;
  /** Too many entries to keep: all are compared with what was announced. */
  isEverything: boolean;
  /** The rest of a whole state that another server has requested. */
  wholeState: Iterator<ServerMessage, undefined> | null;
  /** Another server requested the whole state while it was being sent. */
  isWholeStateRequestedAgain: boolean;
}

export function createUnannounced(): Unannounced {
  return {
    members: new Map(),
    sizes: new Set(),
    added: 0,
    isEverything: false,
    wholeState: null,
    isWholeStateRequestedAgain: false,
  };
}
