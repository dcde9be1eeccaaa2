/** How much is allowed. All of it can be set by `createChannelRegistry`; `defaultLimits` is what Keyturn uses. */
export interface Limits {
  /** Characters of a channel's name. Pusher allows 200. */
  channelNameLength: number;
  /** Characters of an event's name. Pusher allows 200. */
  eventNameLength: number;
  /** Bytes of an event's data, as UTF-8. */
  eventDataBytes: number;
  /** Channels that one event of the HTTP API may go to. Pusher allows 100. */
  channelsPerEvent: number;
  /** Events in a batch of the HTTP API. */
  eventsPerBatch: number;
  /** Bytes of the body of an HTTP API request. */
  requestBytes: number;
  /** Seconds that the clock of a signed HTTP request may differ from ours. */
  requestAgeSeconds: number;
  /** Bytes of a frame from a client; a longer one closes with 1009. */
  frameBytes: number;
  /** How deep JSON from outside may be nested. */
  jsonDepth: number;
  /** Frames that a client may send in a window. */
  framesPerWindow: number;
  /** Milliseconds of that window, which opens with its first frame. */
  frameWindow: number;
  /** Broken frames, or frames beyond the rate, until a connection is closed for good. */
  violations: number;
  /** Connections of this server. Above it the upgrade is to be answered 503. */
  connections: number;
  /** Connections from one address. */
  connectionsPerAddress: number;
  /** Signed-in connections of one user on this server. */
  connectionsPerUser: number;
  /** Channels that one connection may listen to. */
  channelsPerConnection: number;
  /** Different users on a presence channel. */
  membersPerChannel: number;
  /** Bytes of `channel_data` and of `user_data`. */
  userBytes: number;
  /** Characters of a user's id. */
  userIdLength: number;
  /** Milliseconds of silence after which a client is pinged. */
  pingInterval: number;
  /** Unanswered pings, each given `pingInterval`, until a client is taken for gone. */
  unansweredPings: number;
  /** Seconds of silence after which clients ping us. Never 0: pusher-js would give up for good. */
  activityTimeout: number;
}

export const defaultLimits: Limits = {
  channelNameLength: 164,
  eventNameLength: 100,
  eventDataBytes: 10 * 1024,
  channelsPerEvent: 10,
  eventsPerBatch: 10,
  requestBytes: 128 * 1024,
  requestAgeSeconds: 600,
  frameBytes: 10 * 1024,
  jsonDepth: 20,
  framesPerWindow: 30,
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
