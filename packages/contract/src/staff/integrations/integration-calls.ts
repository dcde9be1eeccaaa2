import { Type } from 'typebox';
import { body, IdParam } from '../../calls/call-definition.ts';
import { Day, OneOf } from '../../entities/values.ts';
import { deskDefaults, type StaffCallDefinition } from '../staff-call-definition.ts';
import {
  FeedKey,
  WebhookDelivery,
  WebhookDeliveryResult,
  WebhookEndpoint,
  WebhookEventTypes,
} from './integration-entities.ts';
import { feedScopes } from './integration-vocabulary.ts';

const admins = ['admin'] as const;
const reading = ['unauthenticated', 'factor_required', 'role_not_permitted'] as const;
const changing = [...reading, 'not_from_desk', 'not_found', 'integration_state'] as const;
const confirming = [...changing, 'identity_not_confirmed'] as const;

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
/** The number of hours for which the previous secret still works. */
const Overlap = Type.Integer({ minimum: 0, maximum: 720 });
/** Shown once: it cannot be read again. */
const Secret = Type.String();

/** A change of a key or an endpoint, which the admin confirms. */
const confirmedChange = {
  ...deskDefaults,
  access: admins,
  confirmed: true,
  params: IdParam,
  errors: confirming,
} as const;
const creation = {
  ...deskDefaults,
  access: admins,
  confirmed: true,
  data: Type.Object({ id: Type.String(), secret: Secret }),
  errors: [...confirming, 'invalid_input'],
} as const;
const rotation = {
  ...confirmedChange,
  body: body({ overlap_hours: Overlap }),
  data: Type.Object({ secret: Secret }),
  errors: [...confirming, 'invalid_input'],
} as const;
const many = { minItems: 1, uniqueItems: true } as const;

const feedKeyCalls = {
  'GET /staff/feed-keys': {
    summary: 'List the keys of the case feed, including those that no longer work',
    ...deskDefaults,
    access: admins,
    data: Type.Array(FeedKey),
    errors: reading,
  },
  'POST /staff/feed-keys': {
    summary: 'Create a key of the case feed; its secret is shown once',
    ...creation,
    body: body({
      name: Name,
      scopes: Type.Array(OneOf(feedScopes), { ...many, maxItems: 17 }),
      /** The first day, in UTC, on which it no longer works. */
      expires_on: Type.Optional(Day),
    }),
  },
  'POST /staff/feed-keys/{id}/rotate': {
    summary: 'Replace the secret of a key; the previous one still works during the overlap',
    ...rotation,
  },
  'POST /staff/feed-keys/{id}/revoke': {
    summary: 'Revoke a key at once, with all its secrets',
    ...confirmedChange,
  },
} as const satisfies Record<string, StaffCallDefinition>;

const webhookCalls = {
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

/** The calls with which admins manage the connections of the firm’s systems. */
export const integrationCalls = { ...feedKeyCalls, ...webhookCalls } as const;
