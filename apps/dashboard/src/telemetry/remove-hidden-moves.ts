/** An event of rrweb, the library behind session recordings. */
interface RecordedEvent {
  type?: number;
  data?: { source?: number; positions?: { id: number }[] };
}

/**
 * Removes pointer positions inside elements that are never recorded. On the signature pad, they would reveal the
 * signature.
 */
export function removeHiddenMoves(events: RecordedEvent[]): RecordedEvent[] {
  return events.map((event) =>
    event.type === incrementalSnapshot && event.data?.positions
      ? {
          ...event,
          data: {
            ...event.data,
            positions: event.data.positions.filter(({ id }) => id !== unrecordedElement),
          },
        }
      : event,
  );
}

/** rrweb's event type for a change of the page or an interaction with it. */
const incrementalSnapshot = 3;
/** rrweb's id for every element that is not in the recording. */
const unrecordedElement = -1;
