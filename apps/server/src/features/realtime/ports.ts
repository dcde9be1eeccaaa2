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
  /** Requests the messages that other servers sent while this server was not listening. */
  onGap(): void;
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

/** Sends events to an external server through Pusher's HTTP API. */
export interface ExternalBroadcaster {
  /** @throws if they were not accepted: they are sent again later, possibly twice */
  send(events: readonly ChannelEvent[]): Promise<void>;
  /** Closes the connections of a client who signed out or lost access to a case. */
  disconnectClient(clientId: string): Promise<void>;
}
