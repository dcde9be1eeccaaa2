import { createListener } from '../adapters/postgres/listen.ts';
import { createMessageSender } from '../adapters/webhooks/create-message-sender.ts';
import { createTargetResolver } from '../adapters/webhooks/resolve-target.ts';
import { createDispatcher } from '../live/webhooks/dispatch-deliveries.ts';
import { webhooksChannel } from '../live/webhooks/endpoints.ts';
import type { SendMessage } from '../live/webhooks/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { inSpan, traceHeaders } from '../platform/tracing/spans.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ServerReference } from './server-reference.ts';

/** Creates the sender of messages that the settings allow. */
export function createWebhookSender({ webhooks }: Settings): SendMessage {
  const send = createMessageSender({ resolve: createTargetResolver(), ...webhooks });
  return (message, signal) =>
    inSpan({ name: 'webhook send', kind: 'client' }, () =>
      send({ ...message, headers: { ...message.headers, ...traceHeaders() } }, signal),
    );
}

/** Creates the part of the server that notifies the firm’s endpoints as soon as events are committed. */
export function composeOutgoingWebhooks({
  settings,
  database,
  databaseUrl,
  clock,
  server,
}: {
  settings: Settings;
  database: Database;
  databaseUrl: string;
  clock: Clock;
  server: ServerReference;
}): { start(): Promise<void>; stop(): Promise<void> } {
  const onError = (error: unknown) => server.warn('outgoing webhooks have a problem', error);
  const dispatcher = createDispatcher({
    database,
    clock,
    send: createWebhookSender(settings),
    dashboardUrl: () => settings.publicUrl ?? server.address() ?? '',
    alertOperator: server.alertAbout('webhooks'),
    onError,
  });
  const listener = createListener({
    url: databaseUrl,
    channels: [webhooksChannel],
    name: 'keyturn webhooks',
    onNotification: dispatcher.wake,
    onGap: dispatcher.wake,
    onError,
  });
  return {
    start: async () => {
      dispatcher.start();
      await listener.start();
    },
    stop: async () => {
      await listener.stop();
      await dispatcher.stop();
    },
  };
}
