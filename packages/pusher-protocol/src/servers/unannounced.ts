import type { ServerMessage } from './server-messages.ts';

/**
 * The entries of this server that may differ from what it has announced. Only their keys are stored, so that a member
 * who joins and leaves before the next announcement is never announced, even if the other servers are unreachable for
 * a long time.
 */
export interface Unannounced {
  /** User ids by channel. */
  readonly members: Map<string, Set<string>>;
  /** Channels with a different number of subscriptions. */
  readonly sizes: Set<string>;
  /** The number of entries added since the list was last empty. */
  added: number;
  /** Whether there are too many entries to store, so that the whole state is compared with the announced one. */
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
