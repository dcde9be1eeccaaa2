import type { Effect } from '../effects.ts';
import { pingFrame } from '../messages/server-frames.ts';
import type { ChannelRegistry } from '../registry.ts';
import { closeCodes } from './close-codes.ts';
import { assessLiveness } from './connection.ts';
import { closeConnection } from './open-and-close.ts';

/**
 * Pings silent clients, and closes the connections of clients that have not answered with 1001. Call it every few
 * seconds. A client that loses its network is removed after `pingInterval * (unansweredPings + 1)`: 75 seconds.
 */
export function checkLiveness(registry: ChannelRegistry, now: number): Effect[] {
  const pinged: string[] = [];
  const dead: string[] = [];
  for (const connection of registry.connections.values()) {
    const liveness = assessLiveness(connection, registry.limits, now);
    if (liveness === 'dead') dead.push(connection.socketId);
    if (liveness !== 'ping') continue;
    connection.lastPingAt = now;
    connection.unansweredPings++;
    pinged.push(connection.socketId);
  }
  const effects: Effect[] = pinged.length > 0 ? [{ kind: 'send', to: pinged, frame: pingFrame }] : [];
  for (const socketId of dead) {
    effects.push(...closeConnection(registry, socketId, closeCodes.goingAway, 'No answer to pings.'));
  }
  return effects;
}

/**
 * Closes a share of the connections before a graceful shutdown. Each client reconnects to another server after a
 * second, so closing them in steps spreads the load.
 *
 * @param share of the remaining connections: 1 / (steps left), so that the last step has 1
 */
export function drainConnections(registry: ChannelRegistry, share: number): Effect[] {
  const count = Math.ceil(registry.connections.size * share);
  const effects: Effect[] = [];
  for (const socketId of [...registry.connections.keys()].slice(0, count)) {
    effects.push(
      ...closeConnection(registry, socketId, closeCodes.goingAway, 'The server is shutting down.'),
    );
  }
  return effects;
}
