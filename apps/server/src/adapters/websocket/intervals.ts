/** What the channel server does when. Milliseconds, where nothing else is said. */
export interface ChannelIntervals {
  livenessCheckEvery: number;
  sessionCheckEvery: number;
  /** Between two words to the other servers, and the silence after which one of them is taken for dead. */
  heartbeatEvery: number;
  peerTimeout: number;
  /** Who does not close in turn is not waited for longer. */
  closeTimeout: number;
  /** A connection that listens to nothing and belongs to no sign-in is sent away after this time. */
  idleTimeout: number;
  /** So is one that listens to what only a sign-in opens, while nobody has said which: it would outlive it. */
  unboundTimeout: number;
  /** Connections that are sent away together, and the pause until the next ones are. */
  batchSize: number;
  batchEvery: number;
  /** Between two times at which everybody is asked to come back. */
  reconnectAllCooldown: number;
  /** In which all connections are sent away before the server stops; main.ts gives all of its stopping ten seconds. */
  drainTimeout: number;
  /** Bytes that may wait for a client that does not take them. */
  maxBufferedBytes: number;
}

export const defaultIntervals: ChannelIntervals = {
  livenessCheckEvery: 5_000,
  sessionCheckEvery: 500,
  heartbeatEvery: 10_000,
  peerTimeout: 35_000,
  closeTimeout: 1_000,
  idleTimeout: 60_000,
  unboundTimeout: 900_000,
  batchSize: 100,
  batchEvery: 200,
  reconnectAllCooldown: 30_000,
  drainTimeout: 5_000,
  maxBufferedBytes: 256 * 1024,
};
