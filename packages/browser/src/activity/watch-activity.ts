/** Tracks input by the client, as opposed to requests that the page makes in the background. */
export interface Activity {
  /** When the client was last active in any tab, in milliseconds of this browser's clock. */
  lastAt(): number;
  /**
   * Whether the client has been active in this tab since the last call. Polling extends the session of a client who is
   * active, but not that of a page left open.
   */
  consume(): boolean;
  /** Records activity, for a client who asks to stay signed in. */
  record(): void;
}

export interface ActivityParts {
  /** The target of input events. */
  events: Pick<EventTarget, 'addEventListener'>;
  /** Connects the tabs. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | null;
  now?: () => number;
}

const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'];

/** Milliseconds between two messages to the other tabs. */
const messageInterval = 5_000;

/** Starts to track activity. Tabs notify each other every few seconds. */
export function watchActivity({ events, channel, now = Date.now }: ActivityParts): Activity {
  let lastAt = now();
  let sentAt = Number.NEGATIVE_INFINITY;
  let isActive = false;
  const record = () => {
    isActive = true;
    lastAt = now();
    if (lastAt - sentAt < messageInterval && lastAt >= sentAt) return;
    sentAt = lastAt;
    channel?.postMessage('active');
  };
  for (const name of inputEvents) events.addEventListener(name, record, { capture: true, passive: true });
  channel?.addEventListener('message', () => {
    lastAt = now();
  });
  return {
    lastAt: () => lastAt,
    record,
    consume: () => {
      const wasActive = isActive;
      isActive = false;
      return wasActive;
    },
  };
}
