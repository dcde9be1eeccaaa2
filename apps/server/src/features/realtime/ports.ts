/** What real time needs of whoever holds the connections of this server. */
export interface Channels {
  /** Sends an event to those of this server who listen. */
  publish(event: ChannelEvent): void;
  /** Says whose a connection is, on whichever server it stands. */
  bind(socketId: string, session: BoundSession): void;
  /** These sign-ins are over: their connections close, and stay away. */
  endSessions(sessions: readonly string[]): void;
  /** What these clients may hear has changed: their connections close, come back, and ask anew. */
  reconnectClients(clientIds: readonly string[]): void;
  /** Something was missed: everybody comes back, and catches up by it. */
  reconnectAll(): void;
}

export interface ChannelEvent {
  channel: string;
  /** As clients have it: `App\Events\PaymentUpdated`. */
  event: string;
  /** JSON text. */
  data: string;
  /** The connection that is left out. */
  except: string | null;
}

/** A sign-in that a connection belongs to. */
export interface BoundSession {
  /** The session's hash in hex. */
  session: string;
  clientId: string;
}

/** Sends events to a server of others, by Pusher's HTTP API. */
export interface ExternalBroadcaster {
  /** @throws where they were not taken: they are sent again later, and may then come twice */
  send(events: readonly ChannelEvent[]): Promise<void>;
  /** Closes the connections of a client who signed out or may hear something no longer. */
  disconnectClient(clientId: string): Promise<void>;
}
