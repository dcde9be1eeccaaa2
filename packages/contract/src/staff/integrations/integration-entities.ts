import { type Static, Type } from 'typebox';
import { Id, Instant, Nullable, OneOf } from '../../entities/values.ts';
import { feedScopes, webhookEventTypes } from './integration-vocabulary.ts';

/** An API key with which one of the firm’s systems calls the case feed over HTTP. */
export const FeedKey = Type.Object({
  id: Id,
  name: Type.String(),
  scopes: Type.Array(OneOf(feedScopes)),
  state: OneOf(['active', 'expired', 'revoked']),
  created_at: Instant,
  expires_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
  /** Accurate to the minute; null if it was never used. */
  last_used_at: Nullable(Instant),
});
export type FeedKey = Static<typeof FeedKey>;

/** The types of events that an endpoint receives. Null means every type, including types that later versions add. */
export const WebhookEventTypes = Nullable(
  Type.Array(OneOf(webhookEventTypes), { minItems: 1, maxItems: 50, uniqueItems: true }),
);

/** A URL of one of the firm’s systems to which Keyturn sends events. */
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

/** The result of a delivery attempt: the status of the response, or why there was none. */
const DeliveryResult = { status: Nullable(Type.Integer()), error: Nullable(Type.String()) };
export const WebhookDeliveryResult = Type.Object(DeliveryResult);
export type WebhookDeliveryResult = Static<typeof WebhookDeliveryResult>;

/** An event for an endpoint, with every delivery attempt. */
export const WebhookDelivery = Type.Object({
  event_id: Type.String(),
  type: OneOf(webhookEventTypes),
  occurred_at: Instant,
  state: OneOf(['pending', 'delivered', 'dead']),
  /** When the next attempt is due; null unless it is pending. */
  due_at: Nullable(Instant),
  /** The firm’s references of the records, and the URL that the event links to. */
  data: Type.Record(Type.String(), Type.String()),
  /** For the next page. */
  position: Type.Integer(),
  attempts: Type.Array(Type.Object({ started_at: Instant, milliseconds: Type.Integer(), ...DeliveryResult })),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;
