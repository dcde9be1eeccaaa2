import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The states of a server between its start and its end. */
export interface Lifecycle {
  /** Whether every part runs and the server does not stop. */
  isReady(): boolean;
  /** Whether the server is about to close. */
  isClosing(): boolean;
  /**
   * Starts the parts one after another.
   * @throws the failure of a part, or Error if the server stops meanwhile
   */
  start(steps: readonly (() => unknown)[]): Promise<void>;
  /** Makes the server unready. Proxies that send requests to it get time to choose another one. */
  drain(milliseconds: number): Promise<void>;
  /**
   * Stops the parts at the same time, and waits for a start in progress.
   * @throws the first failure, after every part has stopped
   */
  stop(parts: readonly (() => unknown)[]): Promise<void>;
}

export function createLifecycle(): Lifecycle {
  let isStarted = false;
  let isClosing = false;
  let starting: Promise<void> = Promise.resolve();

  const runSteps = async (steps: readonly (() => unknown)[]) => {
    for (const step of steps) {
      if (isClosing) throw new Error('the server was stopped before it had started');
      await step();
    }
    isStarted = true;
  };
  return {
    isReady: () => isStarted && !isClosing,
    isClosing: () => isClosing,
    start: (steps) => {
      starting = runSteps(steps);
      return starting;
    },
    drain: async (milliseconds) => {
      isClosing = true;
      // No proxy sends requests to a server that was never ready.
      if (isStarted) await pause(milliseconds);
    },
    stop: async (parts) => {
      isClosing = true;
      const outcomes = await Promise.allSettled(parts.map(async (stopPart) => stopPart()));
      await starting.catch(() => {});
      const failure = outcomes.find(({ status }) => status === 'rejected');
      if (failure) throw (failure as PromiseRejectedResult).reason;
    },
  };
}

/**
 * Stops accepting requests, and waits for those in progress.
 * @param limit milliseconds after which the remaining ones are cut
 */
export async function finishRequests(app: FastifyInstance, limit: number): Promise<void> {
  const cutting = setTimeout(() => {
    app.log.warn(
      { setting: 'KEYTURN_STOP_SECONDS', seconds: limit / 1_000 },
      'requests were cut, because they took longer than a stop may take',
    );
    app.server.closeAllConnections();
  }, limit);
  // Node.js would keep a connection open after its response, until its next request.
  const closing = setInterval(() => app.server.closeIdleConnections(), 100);
  try {
    await app.close();
  } finally {
    clearTimeout(cutting);
    clearInterval(closing);
  }
}
