import { Type } from 'typebox';
import { body, IdParam } from '../../calls/call-definition.ts';
import { deskDefaults, type StaffCallDefinition } from '../staff-call-definition.ts';
import {
  WebhookDelivery,
  WebhookDeliveryResult,
  WebhookEndpoint,
  WebhookEventTypes,
} from './integration-entities.ts';
import {
  admins,
  changing,
  confirmedChange,
  confirming,
  creation,
  Name,
  reading,
  rotation,
} from './integration-policies.ts';

/** The calls with which admins manage the endpoints of webhooks. */
export const webhookCalls = {
  'GET /staff/webhooks': {
    summary: 'List the endpoints that are notified about events',
    ...deskDefaults,
    access: admins,
    data: Type.Array(WebhookEndpoint),
    errors: reading,
  },
  'POST /staff/webhooks': {
    summary: 'Create an endpoint; its secret is shown once',
    ...creation,
    body: body({
      url: Type.String({ minLength: 1, maxLength: 2_000 }),
      description: Name,
      event_types: WebhookEventTypes,
    }),
  },
  'PUT /staff/webhooks/{id}': {
    summary: 'Change the name of an endpoint, and the events that it is notified about from now on',
    ...confirmedChange,
    body: body({ description: Name, event_types: WebhookEventTypes }),
    errors: [...confirming, 'invalid_input'],
  },
  'POST /staff/webhooks/{id}/rotate': {
    summary: 'Replace the secret of an endpoint; messages are signed with both during the overlap',
    ...rotation,
  },
  'POST /staff/webhooks/{id}/test': {
    summary: 'Send a test message once, and return the result',
    ...deskDefaults,
    access: admins,
    params: IdParam,
    data: WebhookDeliveryResult,
    errors: changing,
  },
  'POST /staff/webhooks/{id}/enable': {
    summary: 'Enable an endpoint, and resume deliveries to it',
    ...confirmedChange,
  },
  'POST /staff/webhooks/{id}/disable': {
    summary: 'Disable an endpoint; waiting events are kept',
    ...confirmedChange,
  },
  'DELETE /staff/webhooks/{id}': {
    summary: 'Delete an endpoint; waiting events are never sent',
    ...confirmedChange,
  },
  'GET /staff/webhooks/{id}/deliveries': {
    summary: 'List the newest events of an endpoint with every attempt, fifty at a time',
    ...deskDefaults,
    access: admins,
    params: IdParam,
    query: Type.Object({
      /** Only dead letters. */
      dead: Type.Optional(Type.Boolean()),
      /** Only events before this position. */
      before: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    data: Type.Array(WebhookDelivery),
    errors: [...reading, 'not_found', 'invalid_input'],
  },
  'POST /staff/webhooks/{id}/resend': {
    summary: 'Send an event again with the same id, or all dead letters',
    ...deskDefaults,
    access: admins,
    params: IdParam,
    body: body({ event_id: Type.Optional(Type.String({ pattern: '^evt_[0-9a-f]{32}$' })) }),
    data: Type.Object({ resent: Type.Integer() }),
    errors: [...changing, 'invalid_input'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
