/** The port to the real-time channel of this server. */
export interface Channels {
  /** Sends an event to its subscribers on this server. */
  publish(event: ChannelEvent): void;
  /**
   * Binds a connection, on any server, to one more session. It is closed when any of its sessions ends.
   *
   * @returns false if the connection is known to belong to another client: nothing may be authorised for it. A
   *   connection on another server is closed there instead.
   */
  bind(socketId: string, session: BoundSession): boolean;
  /** Closes the connections of ended sessions. Their clients do not reconnect. */
  endSessions(sessions: readonly string[]): void;
  /** Makes these clients reconnect and authorise again, because their permissions have changed. */
  reconnectClients(clientIds: readonly string[]): void;
  /** Makes all clients reconnect and fetch their data again, because events were lost. */
  reconnectAll(): void;
}

export interface ChannelEvent {
  channel: string;
  /** The name that clients receive: `App\Events\PaymentUpdated`. */
  event: string;
  /** JSON text. */
  data: string;
  /** The socket id that does not receive the event. */
  except: string | null;
}

/** A session that has authorised something for a connection. */
export interface BoundSession {
  /** The hash of the session's token in hex. */
  session: string;
  clientId: string;
}

/** A point in the sequence of a database's transactions. */
export interface DatabasePosition {
  /** Changes when the database is restored or another one takes over, which may lack the latest transactions. */
  timeline: string;
  /** All transactions with a lower id have finished. */
  oldestTransaction: bigint;
}

/** Delivers the events of committed transactions to the subscribers on this server. */
export interface EventDelivery {
  /** Delivers the events of a committed transaction, or those on one channel: the payload of a notification. */
  deliver(payload: string): void;
  /** Records the position up to which all notifications have certainly arrived. */
  onCheck(position: DatabasePosition): void;
  /**
   * Delivers the events that did not arrive.
   * @param channels the channels whose events are missing; all by default
   */
  replay(position: DatabasePosition, channels?: readonly string[]): void;
  /** Delivers the latest events of channels whose events did not arrive until now. */
  replayChannels(channels: readonly string[]): void;
}

/** Carries messages between the servers of an installation, and committed events to them. */
export interface ServerNetwork {
  /** Resolves once this server receives messages and events, or will catch up with those that it misses until then. */
  start(): Promise<void>;
  /**
   * Sends a text to every server, this one included.
   * @throws if it was not accepted
   */
  send(text: string): Promise<void>;
  /** Starts to follow a channel that has its first subscriber on this server, or stops when the last one has left. */
  follow(channel: string, isFollowed: boolean): void;
  /** Deletes stored texts that every server has had time to read. */
  deleteOldTexts(): Promise<void>;
  state(): NetworkState;
  stop(): Promise<void>;
}

export interface NetworkState {
  /** The number of payloads with events that have reached this server. */
  received: number;
  /** Null: the network is PostgreSQL itself. */
  redis: { isConnected: boolean; isRelay: boolean } | null;
}

/** The part of this server that receives what a network carries. */
export interface NetworkReceiver {
  events: EventDelivery;
  /** Handles the texts of other servers, in the order in which they were sent. Null: one cannot be read. */
  onText(text: string | null): void;
  /** Called when texts of other servers may have been missed. */
  onMissedTexts(): void;
  onError(error: unknown): void;
}

/** Listens to the database for the events of committed transactions, until it is stopped or fails. */
export interface CommittedEvents {
  /** Resolves once it listens, has failed or is stopped. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface CommittedEventHandlers {
  onNotification(payload: string): void;
  /** Called before the first notification, and then every second: see `EventDelivery.onCheck`. */
  onCheck(position: DatabasePosition): void;
  /** Called when notifications may be missed from now on. */
  onFailure(error: Error): void;
}

/** Sends events to an external server through Pusher's HTTP API. */
export interface ExternalBroadcaster {
  /** @throws if they were not accepted: they are sent again later, possibly twice */
  send(events: readonly ChannelEvent[]): Promise<void>;
  /** Closes the connections of a client who signed out or lost access to a case. */
  disconnectClient(clientId: string): Promise<void>;
}
