import { type Static, Type } from 'typebox';
import { Id, Instant, Nullable, OneOf } from '../../entities/values.ts';
import { feedScopes, webhookEventTypes } from './integration-vocabulary.ts';

/** A key with which a system of the firm calls the case feed over HTTP. */
export const FeedKey = Type.Object({
  id: Id,
  name: Type.String(),
  scopes: Type.Array(OneOf(feedScopes)),
  state: OneOf(['active', 'expired', 'revoked']),
  created_at: Instant,
  expires_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
  /** To the minute; null if it was never used. */
  last_used_at: Nullable(Instant),
});
export type FeedKey = Static<typeof FeedKey>;

/** The types of events that an endpoint receives. Null means every type, including types that later versions add. */
export const WebhookEventTypes = Nullable(
  Type.Array(OneOf(webhookEventTypes), { minItems: 1, maxItems: 50, uniqueItems: true }),
);

/** An address of the firm’s systems that is notified about events. */
export const WebhookEndpoint = Type.Object({
  id: Id,
  url: Type.String(),
  description: Type.String(),
  event_types: WebhookEventTypes,
  state: OneOf(['enabled', 'disabled']),
  /** Disabled because it answered 410. */
  is_gone: Type.Boolean(),
  created_at: Instant,
  /** Events that wait for their first attempt, that are being retried, and that could not be delivered. */
  pending: Type.Integer(),
  retrying: Type.Integer(),
  dead: Type.Integer(),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

/** The result of an attempt: the status of the response, or the reason why there was none. */
const Answer = { status: Nullable(Type.Integer()), error: Nullable(Type.String()) };
export const WebhookAnswer = Type.Object(Answer);
export type WebhookAnswer = Static<typeof WebhookAnswer>;

/** An event for an endpoint, with every attempt to deliver it. */
export const WebhookDelivery = Type.Object({
  event_id: Type.String(),
  type: OneOf(webhookEventTypes),
  occurred_at: Instant,
  state: OneOf(['pending', 'delivered', 'dead']),
  /** When it is sent next; null unless it is pending. */
  due_at: Nullable(Instant),
  /** References of the firm’s records, and the address that the event links to. */
  data: Type.Record(Type.String(), Type.String()),
  /** For the next page. */
  position: Type.Integer(),
  attempts: Type.Array(Type.Object({ started_at: Instant, milliseconds: Type.Integer(), ...Answer })),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;
