import type { BoundSession } from '../../live/channels/ports.ts';

/** Maps the connections of this server to their client and sessions, and each session to its next check. */
export interface SessionIndex {
  /** Binds a connection to one more session of its client. */
  add(socketId: string, bound: BoundSession): void;
  /** Removes a closed connection. */
  remove(socketId: string): void;
  /** Returns the client that a connection belongs to; undefined if no session has authorised it. */
  findClient(socketId: string): string | undefined;
  findSocketsOfSession(session: string): string[];
  findSocketsOfClient(clientId: string): string[];
  /** Lists the sessions to check now: new ones, and those that have reached their expected end. */
  findDue(now: number): string[];
  /** Sets when a session must be checked again; milliseconds since 1970. */
  setNextCheck(session: string, at: number): void;
  /** Number of sessions with a connection. */
  count(): number;
}

export function createSessionIndex(): SessionIndex {
  const connections = new Map<string, { clientId: string; sessions: Set<string> }>();
  const sessions = new Map<string, { sockets: Set<string>; nextCheck: number }>();
  const socketsByClient = new Map<string, Set<string>>();

  return {
    add: (socketId, { session, clientId }) => {
      const connection = connections.get(socketId) ?? { clientId, sessions: new Set() };
      connection.sessions.add(session);
      connections.set(socketId, connection);
      const entry = sessions.get(session) ?? { sockets: new Set(), nextCheck: 0 };
      entry.sockets.add(socketId);
      sessions.set(session, entry);
      socketsByClient.set(clientId, (socketsByClient.get(clientId) ?? new Set()).add(socketId));
    },
    remove: (socketId) => {
      const connection = connections.get(socketId);
      if (!connection) return;
      connections.delete(socketId);
      for (const session of connection.sessions) {
        const sockets = sessions.get(session)?.sockets;
        sockets?.delete(socketId);
        if (sockets?.size === 0) sessions.delete(session);
      }
      const siblings = socketsByClient.get(connection.clientId);
      siblings?.delete(socketId);
      if (siblings?.size === 0) socketsByClient.delete(connection.clientId);
    },
    findClient: (socketId) => connections.get(socketId)?.clientId,
    findSocketsOfSession: (session) => [...(sessions.get(session)?.sockets ?? [])],
    findSocketsOfClient: (clientId) => [...(socketsByClient.get(clientId) ?? [])],
    findDue: (now) =>
      [...sessions].filter(([, { nextCheck }]) => nextCheck <= now).map(([session]) => session),
    setNextCheck: (session, at) => {
      const entry = sessions.get(session);
      if (entry) entry.nextCheck = at;
    },
    count: () => sessions.size,
  };
}
