/** The limits of a server. All can be set with `createChannelRegistry`; `defaultLimits` has what Keyturn uses. */
export interface Limits {
  /** Maximum characters of a channel name. */
  channelNameLength: number;
  /** Maximum characters of an event name. */
  eventNameLength: number;
  /** Maximum bytes of an event's data in UTF-8. */
  eventDataBytes: number;
  /** Maximum channels of one event in the HTTP API. */
  channelsPerEvent: number;
  /** Maximum events of a batch in the HTTP API. */
  eventsPerBatch: number;
  /** Maximum bytes of an HTTP API request body. */
  requestBytes: number;
  /** Maximum difference in seconds between the timestamp of a signed HTTP request and this server's clock. */
  requestAgeSeconds: number;
  /** Maximum bytes of a client's frame; a longer one closes the connection with 1009. */
  frameBytes: number;
  /** Maximum nesting depth of JSON from outside. */
  jsonDepth: number;
  /** Maximum text frames of a client in one window. */
  framesPerWindow: number;
  /** Maximum WebSocket pings and pongs of a client in one window. */
  controlFramesPerWindow: number;
  /** Length of a window in milliseconds; it starts with its first frame. */
  frameWindow: number;
  /** Malformed frames, or frames above a rate limit, after which a connection is closed permanently. */
  violations: number;
  /** Maximum connections of this server. Respond to further upgrades with 503. */
  connections: number;
  /** Maximum connections from one IP address. */
  connectionsPerAddress: number;
  /** Maximum signed-in connections of one user on this server. */
  connectionsPerUser: number;
  /** Maximum subscriptions of one connection. */
  channelsPerConnection: number;
  /** Maximum different users on a presence channel. */
  membersPerChannel: number;
  /** Maximum bytes of `channel_data` and of `user_data`. */
  userBytes: number;
  /** Maximum characters of a user id. */
  userIdLength: number;
  /** Milliseconds of silence after which a client is pinged. */
  pingInterval: number;
  /** Unanswered pings, `pingInterval` apart, after which a client is considered dead. */
  unansweredPings: number;
  /** Seconds of silence after which a client pings the server. Never 0: pusher-js would stop for good. */
  activityTimeout: number;
}

export const defaultLimits: Limits = {
  channelNameLength: 200,
  eventNameLength: 200,
  eventDataBytes: 10 * 1024,
  channelsPerEvent: 100,
  eventsPerBatch: 10,
  // Ten events of 10 KB fit, even if JSON escapes each of their characters with six.
  requestBytes: 640 * 1024,
  requestAgeSeconds: 600,
  frameBytes: 10 * 1024,
  jsonDepth: 20,
  framesPerWindow: 30,
  controlFramesPerWindow: 60,
  frameWindow: 10_000,
  violations: 5,
  connections: 10_000,
  connectionsPerAddress: 100,
  connectionsPerUser: 10,
  channelsPerConnection: 100,
  membersPerChannel: 100,
  userBytes: 1024,
  userIdLength: 128,
  pingInterval: 25_000,
  unansweredPings: 2,
  activityTimeout: 30,
};
