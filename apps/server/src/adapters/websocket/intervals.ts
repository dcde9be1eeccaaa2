/** Timing and batch sizes of the channel server. In milliseconds unless stated otherwise. */
export interface ChannelIntervals {
  livenessCheckEvery: number;
  sessionCheckEvery: number;
  /** Between two announcements of the numbers of subscriptions to the other servers. */
  announceSizesEvery: number;
  /** Between two heartbeats to the other servers. */
  heartbeatEvery: number;
  /** Silence after which another server is considered dead. */
  peerTimeout: number;
  /** Time for a client to complete the WebSocket close before its socket is terminated. */
  closeTimeout: number;
  /** A connection without a subscription or a session is closed after this time. */
  idleTimeout: number;
  /**
   * A connection on non-public channels that is bound to no session is closed after this time: nothing else ends it.
   */
  unboundTimeout: number;
  /** Number of connections that are closed together. */
  batchSize: number;
  batchEvery: number;
  /** The number of connections that are opened in each period, and the length of a period. */
  openBatch: number;
  openInterval: number;
  /** Minimum time between two rounds in which all clients reconnect. */
  reconnectAllCooldown: number;
  /** Time to close all connections before shutdown, while requests finish. */
  drainTimeout: number;
  /** Bytes that may be unsent to a slow client. */
  maxBufferedBytes: number;
  /** Bytes of messages that may wait for the other servers. */
  maxQueuedBytes: number;
}

export const defaultIntervals: ChannelIntervals = {
  livenessCheckEvery: 5_000,
  sessionCheckEvery: 500,
  announceSizesEvery: 1_000,
  heartbeatEvery: 10_000,
  peerTimeout: 35_000,
  closeTimeout: 1_000,
  idleTimeout: 60_000,
  unboundTimeout: 900_000,
  batchSize: 100,
  batchEvery: 200,
  openBatch: 8,
  openInterval: 20,
  reconnectAllCooldown: 30_000,
  drainTimeout: 5_000,
  maxBufferedBytes: 256 * 1024,
  maxQueuedBytes: 16 * 1024 * 1024,
};
