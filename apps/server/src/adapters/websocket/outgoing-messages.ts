/** The queue of texts for the other servers. None is dropped silently, however long the database is unavailable. */
export interface OutgoingMessages {
  /**
   * Adds a text.
   *
   * @param key a waiting text with the same key has the same meaning, and is replaced
   */
  add(text: string, key?: string): void;
  /** Removes and returns the oldest text; undefined if there is none. */
  take(): string | undefined;
}

/**
 * @param options.lostMessage replaces all waiting texts when they exceed `maxBytes`, and tells the receivers that
 *   they have missed messages
 */
export function createOutgoingMessages(options: { lostMessage: string; maxBytes: number }): OutgoingMessages {
  const waiting = new Map<string, string>();
  let bytes = 0;
  let added = 0;

  const remove = (key: string): string | undefined => {
    const text = waiting.get(key);
    if (text === undefined || !waiting.delete(key)) return undefined;
    bytes -= Buffer.byteLength(text);
    return text;
  };
  return {
    add: (text, key = `#${++added}`) => {
      remove(key);
      waiting.set(key, text);
      bytes += Buffer.byteLength(text);
      if (bytes <= options.maxBytes) return;
      waiting.clear();
      waiting.set('lost', options.lostMessage);
      bytes = Buffer.byteLength(options.lostMessage);
    },
    take: () => {
      const [oldest] = waiting.keys();
      return oldest === undefined ? undefined : remove(oldest);
    },
  };
}
