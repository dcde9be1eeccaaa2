import { type ChannelRegistry, classifyChannel } from '@keyturn/pusher-protocol';
import type { ChannelIntervals } from './intervals.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { SessionIndex } from './session-index.ts';

export interface StaleCheckOptions {
  registry: ChannelRegistry;
  sessions: Pick<SessionIndex, 'findClient'>;
  sockets: Pick<OpenSockets, 'olderThan'>;
  intervals: Pick<ChannelIntervals, 'idleTimeout' | 'unboundTimeout'>;
  reconnect(socketIds: readonly string[]): void;
}

/** @returns a function that closes connections that have been idle, or without a known session, for too long */
export function createStaleCheck(options: StaleCheckOptions): () => void {
  const { registry, sessions, sockets, intervals, reconnect } = options;
  const isUnbound = (socketId: string) => sessions.findClient(socketId) === undefined;
  return () => {
    const idle = sockets.olderThan(intervals.idleTimeout).filter((id) => isIdle(registry, id));
    reconnect(idle.filter(isUnbound));
    const unknown = sockets.olderThan(intervals.unboundTimeout).filter((id) => needsSession(registry, id));
    reconnect(unknown.filter(isUnbound));
  };
}

function isIdle(registry: ChannelRegistry, socketId: string): boolean {
  const connection = registry.connections.get(socketId);
  return connection?.channels.size === 0 && connection.user === null;
}

/** True for a connection that only a session can have authorised. */
function needsSession(registry: ChannelRegistry, socketId: string): boolean {
  const connection = registry.connections.get(socketId);
  if (!connection) return false;
  const isPublic = (channel: string) => classifyChannel(channel, registry.limits) === 'public';
  return connection.user !== null || [...connection.channels].some((name) => !isPublic(name));
}
