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
