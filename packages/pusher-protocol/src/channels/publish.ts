import type { Effect } from '../effects.ts';
import { eventFrames } from '../messages/server-frames.ts';
import type { ChannelRegistry } from '../registry.ts';

/** An event for everybody who listens to these channels. */
export interface Publication {
  channels: readonly string[];
  event: string;
  /** What receivers get: JSON text as a rule. */
  data: string;
  /** A socket id that does not get it: of the client whose own request caused it, on whatever server it is. */
  except?: string | null;
  /** Who sent it; for client events on presence channels. */
  userId?: string | null;
}

/** Sends an event to the listeners of this server and tells the other servers of it. */
export function publish(registry: ChannelRegistry, publication: Publication): Effect[] {
  return [
    ...publishLocally(registry, publication),
    { kind: 'notify-servers', message: { kind: 'event', ...publication } },
  ];
}

/**
 * Sends an event to the listeners of this server alone: for what every server hears by itself. The event is written
 * once for each channel, however many listen, and not at all when nobody does.
 */
export function publishLocally(registry: ChannelRegistry, publication: Publication): Effect[] {
  const effects: Effect[] = [];
  let frameFor: ((channel: string) => string) | undefined;
  for (const name of new Set(publication.channels)) {
    const channel = registry.channels.get(name);
    if (!channel || channel.subscribers.size === 0) continue;
    const to = [...channel.subscribers.keys()];
    const own = publication.except == null ? -1 : to.indexOf(publication.except);
    if (own >= 0) to.splice(own, 1);
    if (to.length === 0) continue;
    frameFor ??= eventFrames(publication.event, publication.data, publication.userId ?? undefined);
    effects.push({ kind: 'send', to, frame: frameFor(name) });
  }
  return effects;
}
