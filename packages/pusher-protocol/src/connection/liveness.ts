import type { Effect } from '../effects.ts';
import { pingFrame } from '../messages/server-frames.ts';
import { type ChannelRegistry, closeConnection } from '../registry.ts';
import { closeCodes } from './close-codes.ts';
import { assessLiveness } from './connection.ts';

/**
 * Pings whoever is silent, and closes with 1001 whoever has not answered the last pings. To be called every few
 * seconds. A client whose network went away is gone after `pingInterval * (missedPings + 1)`: 75 seconds.
 */
export function checkLiveness(registry: ChannelRegistry, now: number): Effect[] {
  const pinged: string[] = [];
  const gone: string[] = [];
  for (const connection of registry.connections.values()) {
    const verdict = assessLiveness(connection, registry.limits, now);
    if (verdict === 'gone') gone.push(connection.socketId);
    if (verdict !== 'ping') continue;
    connection.lastPingAt = now;
    connection.unansweredPings++;
    pinged.push(connection.socketId);
  }
  const effects: Effect[] = pinged.length > 0 ? [{ kind: 'send', to: pinged, frame: pingFrame }] : [];
  for (const socketId of gone) {
    effects.push(...closeConnection(registry, socketId, closeCodes.goingAway, 'No answer to pings.'));
  }
  return effects;
}

/**
 * Sends a part of the clients to another server before this one stops: each comes back after a second, so a stop in
 * steps over ten seconds or more is a stream, not a stampede.
 *
 * @param share of those still connected: 1 / (steps left), so that the last step has 1
 */
export function drainConnections(registry: ChannelRegistry, share: number): Effect[] {
  const count = Math.ceil(registry.connections.size * share);
  const effects: Effect[] = [];
  for (const socketId of [...registry.connections.keys()].slice(0, count)) {
    effects.push(...closeConnection(registry, socketId, closeCodes.goingAway, 'The server is going away.'));
  }
  return effects;
}
