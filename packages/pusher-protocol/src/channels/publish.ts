import type { Effect } from '../effects.ts';
import { eventFrames } from '../messages/server-frames.ts';
import type { ChannelRegistry } from '../registry.ts';
import type { Publication } from './publication.ts';

/** Sends an event to the subscribers on this server and forwards it to the other servers. */
export function publish(registry: ChannelRegistry, publication: Publication): Effect[] {
  return [
    ...publishLocally(registry, publication),
    { kind: 'notify-servers', message: { kind: 'event', ...publication } },
  ];
}

/**
 * Sends an event to the subscribers on this server only: for events that every server receives from its own source.
 * The event is serialised once for each channel, and not at all if no one subscribes.
 */
export function publishLocally(registry: ChannelRegistry, publication: Publication): Effect[] {
  const effects: Effect[] = [];
  let frameFor: ((channel: string) => string) | undefined;
  for (const name of new Set(publication.channels)) {
    const channel = registry.channels.get(name);
    if (!channel || channel.subscribers.size === 0) continue;
    const to = [...channel.subscribers.keys()];
    const excluded = publication.except == null ? -1 : to.indexOf(publication.except);
    if (excluded >= 0) to.splice(excluded, 1);
    if (to.length === 0) continue;
    frameFor ??= eventFrames(publication.event, publication.data, publication.userId ?? undefined);
    effects.push({ kind: 'send', to, frame: frameFor(name) });
  }
  return effects;
}
