/** One at a time for each name, in the order of asking; of different names at the same time. */
export interface Lanes {
  run<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result>;
}

export function createLanes(): Lanes {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    run: (names, work) => {
      // All names are joined in one step, so that no two callers can each hold what the other waits for.
      const result = Promise.all(names.map((name) => lastOf.get(name) ?? Promise.resolve())).then(work);
      const done = result.then(
        () => {},
        () => {},
      );
      for (const name of names) lastOf.set(name, done);
      void done.then(() => {
        for (const name of names) if (lastOf.get(name) === done) lastOf.delete(name);
      });
      return result;
    },
  };
}

/** This server's attempts that have not yet proved right or wrong. */
export interface AttemptsInFlight {
  /** @returns what to call when the attempt is settled; a second call does nothing */
  begin(names: readonly string[]): () => void;
  /** Resolves when the next attempt with this name is settled; undefined when none is in flight. */
  nextSettled(name: string): Promise<void> | undefined;
}

export function trackInFlight(): AttemptsInFlight {
  const tracked = new Map<string, { count: number } & Signal>();
  return {
    begin: (names) => {
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
