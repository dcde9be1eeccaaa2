import type { DatabasePosition, EventDelivery } from '../../live/channels/ports.ts';
import type { RelayPosition } from './event-relay.ts';

/** Reads events from the database that did not arrive through Redis. */
export interface CatchUp {
  /** Resolves once the position from which events are caught up is known, or the database does not answer. */
  start(): Promise<void>;
  stop(): void;
  /** Records that the relay has published everything before a position. */
  onPosition(position: RelayPosition): void;
  /** Records that messages may have been missed until now. */
  onGap(): void;
}

export interface CatchUpOptions {
  events: Pick<EventDelivery, 'onCheck' | 'replay'>;
  readPosition(): Promise<DatabasePosition>;
  listChannels(): string[];
  /** Milliseconds without a position after which this server reads events itself, and between two reads. */
  silence: number;
  onError(error: unknown): void;
}

/**
 * Creates the catch-up of this server. Redis may lose messages at any time. Positions of one term without a gap between
 * them prove that it did not. Otherwise this server reads the missed events: once after a gap, repeatedly while there
 * are no positions.
 */
export function createCatchUp(options: CatchUpOptions): CatchUp {
  const { events, listChannels, silence, onError } = options;
  let term: string | null = null;
  let latest: DatabasePosition | null = null;
  /** Whether the latest position was read from the database by this server, with the events before it. */
  let wasReadHere = false;
  let lastPositionAt = performance.now();
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const isOutdated = (position: DatabasePosition) =>
    latest?.timeline === position.timeline && position.oldestTransaction < latest.oldestTransaction;
  const readMissed = async () => {
    const position = await options.readPosition();
    if (isStopped) return;
    if (wasReadHere) events.onCheck(position);
    events.replay(position, listChannels());
    latest = position;
    wasReadHere = true;
    lastPositionAt = performance.now();
  };
  const readIfSilent = () => {
    if (isReading || performance.now() - lastPositionAt < silence) return;
    isReading = true;
    term = null;
    readMissed()
      .catch(onError)
      .finally(() => {
        isReading = false;
      });
  };
  return {
    start: async () => {
      try {
        latest = await options.readPosition();
        events.onCheck(latest);
      } catch (error) {
        onError(error);
      }
      lastPositionAt = performance.now();
      if (!isStopped) timer = setInterval(readIfSilent, silence / 2);
    },
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
    onPosition: ({ term: next, ...position }) => {
      // A delayed position would make this server read the same events again.
      if (isOutdated(position)) return;
      if (next === term) events.onCheck(position);
      else events.replay(position, listChannels());
      term = next;
      latest = position;
      wasReadHere = false;
      lastPositionAt = performance.now();
    },
    onGap: () => {
      term = null;
    },
  };
}
