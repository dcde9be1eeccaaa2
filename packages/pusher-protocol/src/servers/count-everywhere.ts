import type { ChannelRegistry } from '../registry.ts';

/** Counts the connections of all servers. */
export function countConnections(registry: ChannelRegistry): number {
  return sum([
    registry.connections.size,
    ...[...registry.servers.values()].map((server) => server.connections),
  ]);
}

/** Counts the subscriptions to a channel on all servers. */
export function countSubscriptions(registry: ChannelRegistry, channel: string): number {
  const elsewhere = [...registry.servers.values()].map(
    ({ channels }) => channels.get(channel)?.subscriptions ?? 0,
  );
  return sum([registry.channels.get(channel)?.subscribers.size ?? 0, ...elsewhere]);
}

/** Tells whether a channel has a subscriber on any server. */
export function isOccupied(registry: ChannelRegistry, channel: string): boolean {
  return registry.channels.has(channel) || countSubscriptions(registry, channel) > 0;
}

/** Lists the channels that have a subscriber on any server. */
export function listOccupiedChannels({ channels, servers }: ChannelRegistry): string[] {
  return [
    ...new Set(
      [channels, ...[...servers.values()].map((server) => server.channels)].flatMap((known) => [
        ...known.keys(),
      ]),
    ),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
