/** What the client does on the page, as opposed to what the page does by itself. */
export interface Activity {
  /** Milliseconds by this browser's clock: when the client last did something, in this tab or another. */
  lastAt(): number;
  /**
   * Whether the client did something since this was last asked: a poll behind a page in use prolongs the session, a
   * poll behind a page left open does not.
   */
  consume(): boolean;
  /** Counts as something done: the client asked to stay. */
  record(): void;
}

export interface ActivityParts {
  /** Gets what the client does. */
  events: Pick<EventTarget, 'addEventListener'>;
  /** Reaches the other tabs. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | null;
  now?: () => number;
}

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'];

/** Milliseconds between two words to the other tabs. */
const tellEvery = 5_000;

export function watchActivity({ events, channel, now = Date.now }: ActivityParts): Activity {
  let at = now();
  let toldAt = Number.NEGATIVE_INFINITY;
  let acted = false;
  const record = () => {
    acted = true;
    at = now();
    if (at - toldAt < tellEvery && at >= toldAt) return;
    toldAt = at;
    channel?.postMessage('active');
  };
  for (const sign of signs) events.addEventListener(sign, record, { capture: true, passive: true });
  channel?.addEventListener('message', () => {
    at = now();
  });
  return {
    lastAt: () => at,
    record,
    consume: () => {
      const was = acted;
      acted = false;
      return was;
    },
  };
}
