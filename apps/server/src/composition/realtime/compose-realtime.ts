import type { RealtimeSettings } from '../../settings/realtime-settings.ts';
import { composeEmbeddedRealtime } from './compose-embedded-realtime.ts';
import { composeExternalRealtime } from './compose-external-realtime.ts';
import { noNetwork, type Realtime, type RealtimeOptions } from './realtime-parts.ts';

/** Composes the real-time channel: connections to this server, an external server, or no channel at all. */
export function composeRealtime(options: RealtimeOptions): Realtime {
  switch (options.settings.realtime.server) {
    case 'embedded':
      return composeEmbeddedRealtime(options);
    case 'external':
      return composeExternalRealtime(options);
    case 'off':
      return {
        key: null,
        desk: null,
        routes: [],
        counts: () => ({ connections: 0, published: 0, network: noNetwork }),
        start: async () => {},
        stop: async () => {},
      };
  }
}

/** Lists the WebSocket origins other than the page's own, for the content security policy. */
export function externalSockets({ broadcaster, host, port, scheme, cluster }: RealtimeSettings): string[] {
  if (host !== null) {
    return [`${scheme === 'https' ? 'wss' : 'ws'}://${host}${port === null ? '' : `:${port}`}`];
  }
  return broadcaster === 'pusher' && cluster !== null ? [`wss://ws-${cluster}.pusher.com`] : [];
}
