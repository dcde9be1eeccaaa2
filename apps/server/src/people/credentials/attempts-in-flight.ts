/** Runs work with a common name one after another, and work with different names concurrently. */
export interface KeyedQueue {
  run<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result>;
}

export function createKeyedQueue(): KeyedQueue {
  const lastByName = new Map<string, Promise<unknown>>();
  return {
    run: (names, work) => {
      // All names are queued in one step, so that no two callers can deadlock.
      const result = Promise.all(names.map((name) => lastByName.get(name) ?? Promise.resolve())).then(work);
      const done = result.then(
        () => {},
        () => {},
      );
      for (const name of names) lastByName.set(name, done);
      void done.then(() => {
        for (const name of names) if (lastByName.get(name) === done) lastByName.delete(name);
      });
      return result;
    },
  };
}

/** Attempts on this server with an outcome that is not yet known. */
export interface AttemptsInFlight {
  /** @returns a function to call when the attempt is settled; a second call does nothing */
  track(names: readonly string[]): () => void;
  /** Resolves when the next attempt with this name is settled; undefined when none is in flight. */
  nextSettled(name: string): Promise<void> | undefined;
}

export function trackInFlight(): AttemptsInFlight {
  const tracked = new Map<string, { count: number } & Signal>();
  return {
    track: (names) => {
      for (const name of names) {
        const entry = tracked.get(name);
        if (entry) entry.count++;
        else tracked.set(name, { count: 1, ...createSignal() });
      }
      let settled = false;
      return () => {
        if (settled) return;
        settled = true;
        for (const name of names) {
          const entry = tracked.get(name);
          if (!entry) continue;
          entry.send();
          if (entry.count === 1) tracked.delete(name);
          else tracked.set(name, { count: entry.count - 1, ...createSignal() });
        }
      };
    },
    nextSettled: (name) => tracked.get(name)?.sent,
  };
}

interface Signal {
  sent: Promise<void>;
  send: () => void;
}

function createSignal(): Signal {
  let send = () => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { sent, send };
}
