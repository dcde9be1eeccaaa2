/** Which connections of this server belong to which sign-in, and when each sign-in may end. */
export interface SessionIndex {
  /** A connection belongs to one sign-in for good: another one's words about it are not believed. */
  add(socketId: string, bound: { session: string; clientId: string }): void;
  /** Forgets a connection that has gone. */
  remove(socketId: string): void;
  findSocketsOfSession(session: string): string[];
  findSocketsOfClient(clientId: string): string[];
  /** The sign-ins that have to be looked at: new ones, and those whose known end has come. */
  findDue(now: number): string[];
  /** A sign-in holds until then at least; milliseconds. */
  setNextCheck(session: string, end: number): void;
  isBound(socketId: string): boolean;
  /** Sign-ins that have a connection. */
  count(): number;
}

export function createSessionIndex(): SessionIndex {
  const bySocket = new Map<string, string>();
  const sessions = new Map<string, { clientId: string; sockets: Set<string>; end: number }>();
  const clients = new Map<string, Set<string>>();

  return {
    add: (socketId, { session, clientId }) => {
      if (bySocket.has(socketId)) return;
      bySocket.set(socketId, session);
      const entry = sessions.get(session) ?? { clientId, sockets: new Set(), end: 0 };
      entry.sockets.add(socketId);
      sessions.set(session, entry);
      clients.set(clientId, (clients.get(clientId) ?? new Set()).add(session));
    },
    remove: (socketId) => {
      const session = bySocket.get(socketId);
      const entry = session === undefined ? undefined : sessions.get(session);
      if (session === undefined || !entry) return;
      bySocket.delete(socketId);
      entry.sockets.delete(socketId);
      if (entry.sockets.size > 0) return;
      sessions.delete(session);
      const others = clients.get(entry.clientId);
      others?.delete(session);
      if (others?.size === 0) clients.delete(entry.clientId);
    },
    findSocketsOfSession: (session) => [...(sessions.get(session)?.sockets ?? [])],
    findSocketsOfClient: (clientId) =>
      [...(clients.get(clientId) ?? [])].flatMap((session) => [...(sessions.get(session)?.sockets ?? [])]),
    findDue: (now) => [...sessions].filter(([, { end }]) => end <= now).map(([session]) => session),
    setNextCheck: (session, end) => {
      const entry = sessions.get(session);
      if (entry) entry.end = end;
    },
    isBound: (socketId) => bySocket.has(socketId),
    count: () => sessions.size,
  };
}
