/** Maps the connections of this server to their sessions, and each session to its next check. */
export interface SessionIndex {
  /** Binds a connection to a session. The first binding is permanent: later ones are ignored. */
  add(socketId: string, bound: { session: string; clientId: string }): void;
  /** Removes a closed connection. */
  remove(socketId: string): void;
  findSocketsOfSession(session: string): string[];
  findSocketsOfClient(clientId: string): string[];
  /** Lists the sessions to check now: new ones, and those that have reached their expected end. */
  findDue(now: number): string[];
  /** Sets when a session must be checked again; milliseconds since 1970. */
  setNextCheck(session: string, at: number): void;
  isBound(socketId: string): boolean;
  /** Number of sessions with a connection. */
  count(): number;
}

export function createSessionIndex(): SessionIndex {
  const sessionBySocket = new Map<string, string>();
  const sessions = new Map<string, { clientId: string; sockets: Set<string>; nextCheck: number }>();
  const sessionsByClient = new Map<string, Set<string>>();

  return {
    add: (socketId, { session, clientId }) => {
      if (sessionBySocket.has(socketId)) return;
      sessionBySocket.set(socketId, session);
      const entry = sessions.get(session) ?? { clientId, sockets: new Set(), nextCheck: 0 };
      entry.sockets.add(socketId);
      sessions.set(session, entry);
      sessionsByClient.set(clientId, (sessionsByClient.get(clientId) ?? new Set()).add(session));
    },
    remove: (socketId) => {
      const session = sessionBySocket.get(socketId);
      const entry = session === undefined ? undefined : sessions.get(session);
      if (session === undefined || !entry) return;
      sessionBySocket.delete(socketId);
      entry.sockets.delete(socketId);
      if (entry.sockets.size > 0) return;
      sessions.delete(session);
      const others = sessionsByClient.get(entry.clientId);
      others?.delete(session);
      if (others?.size === 0) sessionsByClient.delete(entry.clientId);
    },
    findSocketsOfSession: (session) => [...(sessions.get(session)?.sockets ?? [])],
    findSocketsOfClient: (clientId) =>
      [...(sessionsByClient.get(clientId) ?? [])].flatMap((session) => [
        ...(sessions.get(session)?.sockets ?? []),
      ]),
    findDue: (now) =>
      [...sessions].filter(([, { nextCheck }]) => nextCheck <= now).map(([session]) => session),
    setNextCheck: (session, at) => {
      const entry = sessions.get(session);
      if (entry) entry.nextCheck = at;
    },
    isBound: (socketId) => sessionBySocket.has(socketId),
    count: () => sessions.size,
  };
}
