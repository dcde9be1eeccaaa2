import type { StaffCallKey, WebhookDelivery, WebhookEndpoint } from '@keyturn/contract/staff';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { type LoggedDelivery, listDeliveries, resendEvents } from '../../live/webhooks/delivery-log.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../live/webhooks/endpoints.ts';
import { sendTestMessage } from '../../live/webhooks/send-test-message.ts';
import type { WebhookDependencies } from '../../live/webhooks/webhook-command.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';

type WebhookCalls = Extract<StaffCallKey, `${string} /staff/webhooks${string}`>;

/** Events of a page of the delivery log. */
const pageSize = 50;

/** Returns the handlers of the calls with which admins manage endpoints. */
export function webhookHandlers(dependencies: WebhookDependencies): StaffHandlers<WebhookCalls> {
  const { database } = dependencies;
  const changing =
    (change: typeof enableEndpoint) =>
    async (request: Parameters<typeof byStaff>[0] & { params: { id: string } }) => {
      await change(dependencies, { id: request.params.id, ...byStaff(request) });
      return undefined;
    };
  return {
    'GET /staff/webhooks': async () => (await listEndpoints(database)).map(toEndpoint),
    'POST /staff/webhooks': (request) => {
      const { url, description, event_types: eventTypes } = request.body;
      const endpoint = { url, description: description.trim(), eventTypes, ...byStaff(request) };
      return createEndpoint(dependencies, endpoint);
    },
    'PUT /staff/webhooks/{id}': async (request) => {
      const { description, event_types: eventTypes } = request.body;
      const changed = { id: request.params.id, description: description.trim(), eventTypes };
      await changeEndpoint(dependencies, { ...changed, ...byStaff(request) });
      return undefined;
    },
    'POST /staff/webhooks/{id}/rotate': async (request) => {
      const { id } = request.params;
      const overlap = request.body.overlap_hours * 3_600_000;
      return { secret: await rotateSecret(dependencies, { id, overlap, ...byStaff(request) }) };
    },
    'POST /staff/webhooks/{id}/test': (request) =>
      sendTestMessage(dependencies, { id: request.params.id, ...byStaff(request) }),
    'POST /staff/webhooks/{id}/enable': changing(enableEndpoint),
    'POST /staff/webhooks/{id}/disable': changing(disableEndpoint),
    'DELETE /staff/webhooks/{id}': changing(deleteEndpoint),
    'GET /staff/webhooks/{id}/deliveries': async ({ params, query }) => {
      const { id: endpointId } = await findEndpoint(dependencies, params.id);
      const { dead: isDead = false, before = null } = query;
      const found = await listDeliveries(database, { endpointId, isDead, before, limit: pageSize });
      return found.map(toDelivery);
    },
    'POST /staff/webhooks/{id}/resend': async (request) => {
      const eventId = request.body.event_id ?? null;
      const resent = resendEvents(dependencies, {
        endpointId: request.params.id,
        eventId,
        ...byStaff(request),
      });
      return { resent: await resent };
    },
  };
}

function toEndpoint(endpoint: Awaited<ReturnType<typeof listEndpoints>>[number]): WebhookEndpoint {
  const { id, url, description, eventTypes, state, isGone, createdAt, pending, retrying, dead } = endpoint;
  return {
    id,
    url,
    description,
    event_types: eventTypes as WebhookEndpoint['event_types'],
    state: state === 'enabled' ? 'enabled' : 'disabled',
    is_gone: isGone,
    created_at: createdAt.toISOString(),
    pending,
    retrying,
    dead,
  };
}

const toDelivery = ({ event, delivery, attempts }: LoggedDelivery): WebhookDelivery => ({
  event_id: event.id,
  type: event.type as WebhookDelivery['type'],
  occurred_at: event.occurredAt.toISOString(),
  state: delivery.state,
  due_at: delivery.state === 'pending' ? dueInstant(event, delivery) : null,
  data: event.data,
  position: delivery.position,
  attempts: attempts.map(({ startedAt, milliseconds, status, error }) => ({
    started_at: startedAt.toISOString(),
    milliseconds,
    status,
    error,
  })),
});

/**
 * Returns since when a delivery is due. Before the first attempt the stored time is far in the past, so the time of
 * the event is returned.
 */
function dueInstant({ createdAt }: LoggedDelivery['event'], { dueAt }: LoggedDelivery['delivery']): string {
  return (Number.isNaN(dueAt.getTime()) ? createdAt : dueAt).toISOString();
}
