import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../../platform/describe-error.ts';
import type { ClusterMembership } from './claim-data-directory.ts';
import type { EmbeddedCluster } from './embedded-cluster.ts';

/** One process's use of a running cluster. */
export interface JoinedCluster {
  cluster: EmbeddedCluster;
  membership: ClusterMembership;
  leave(): Promise<void>;
}

/**
 * Starts the embedded cluster of a server again whenever it ends: on a full disk, without memory, or by a mistake. The
 * server's connections use its port, so that a cluster on another port does not count.
 * @param first the cluster, which the server has claimed
 * @param rejoin starts the cluster on the same port, or joins it if it runs
 * @param report called when it has ended, when it runs again, and for each failure in between
 */
export function keepClusterRunning(
  first: JoinedCluster,
  rejoin: () => Promise<JoinedCluster>,
  report: (message: string) => void,
): JoinedCluster {
  let current = first;
  let restarting = Promise.resolve();
  const leaving = new AbortController();

  const watch = (joined: JoinedCluster) =>
    joined.membership.ended.then(() => {
      if (!leaving.signal.aborted) restarting = restart();
    });

  async function restart(): Promise<void> {
    report('the embedded PostgreSQL has ended: it is started again');
    for (let wait = firstWait; !leaving.signal.aborted; wait = Math.min(2 * wait, maxWait)) {
      try {
        current = await rejoinAndClaim();
        report('the embedded PostgreSQL runs again');
        void watch(current);
        return;
      } catch (error) {
        report(`the embedded PostgreSQL could not be started: ${describeError(error).message}`);
      }
      await pause(wait, undefined, { signal: leaving.signal }).catch(() => {});
    }
  }

  async function rejoinAndClaim(): Promise<JoinedCluster> {
    const next = await rejoin();
    if (next.cluster.port === first.cluster.port && (await next.membership.claim()) === 'claimed')
      return next;
    await next.leave();
    throw new Error('another process has started it for itself');
  }

  void watch(first);
  return {
    ...first,
    leave: async () => {
      leaving.abort();
      await restarting;
      await current.leave();
    },
  };
}

/** Milliseconds between two attempts. */
const firstWait = 1_000;
const maxWait = 30_000;
