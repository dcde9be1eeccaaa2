/** An event of rrweb; its numbers stand below. */
interface RecordedEvent {
  type?: number;
  data?: { source?: number; positions?: { id: number }[] };
}

/**
 * The events of a recording without where a finger, a pen or a mouse went within what is never recorded: on the pad for
 * signatures that would be the signature.
 */
export function removeHiddenMoves(events: RecordedEvent[]): RecordedEvent[] {
  return events.map((event) =>
    event.type === changes && event.data?.positions
      ? {
          ...event,
          data: { ...event.data, positions: event.data.positions.filter(({ id }) => id !== unknown) },
        }
      : event,
  );
}

/** A change of the page, or something done on it. */
const changes = 3;
/** The number of every element that is not in the recording. */
const unknown = -1;
