import type { FeedList } from '../../feed.ts';

/* The possible values of keys and endpoints, without TypeBox, which browsers do not download. */

/** The kinds of records of the case feed, in the order in which people think of them. */
export const feedKinds = [
  'clients',
  'cases',
  'matters',
  'documents',
  'searches',
  'tasks',
  'bills',
  'history',
] as const satisfies readonly FeedList[];

/** A permission of a key: an action on one kind of record, such as `clients:write`, recording payouts, or reading events. */
export type FeedScope =
  | `${(typeof feedKinds)[number]}:${'read' | 'write'}`
  | 'payouts:write'
  | 'changes:read';
export const feedScopes: readonly FeedScope[] = [
  ...feedKinds.flatMap((kind): FeedScope[] => [`${kind}:read`, `${kind}:write`]),
  'payouts:write',
  'changes:read',
];

/** Everything that an endpoint can be notified about. Database triggers write the events. */
export const webhookEventTypes = [
  'client.activated',
  'document.read',
  'document.signed',
  'payment.disputed',
  'payment.refund_failed',
  'payment.refunded',
  'payment.succeeded',
  'task.completed',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];
